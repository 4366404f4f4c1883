/** Moss's clips, frame by frame: unhurried, most of it told by the sprout; timings in ms. */
import { clip, type Shot as ShotOf } from '../drawn.ts';
import { pt } from '../svg.ts';
import { type Pose, type Prop, shot } from './pose.ts';

type Shot = ShotOf<Pose>;

/** A pixel of height, and of width, is 1/32 of the stone. */
const TALLER = 1 + 1 / 32;
const FLATTER = 1 - 1 / 32;
const FLAT = 1 - 3 / 32;

const idle = clip(true, 0, [
  shot(3_000),
  shot(1_100, { stretch: TALLER, sway: 1 }),
  shot(1_900, { stretch: TALLER, sway: 2 }),
  shot(1_100, { sway: 1 }),
  shot(120, { eyes: 'half' }),
  shot(130, { eyes: 'closed' }),
  shot(2_900),
  shot(2_200, { stretch: TALLER, sway: -1 }),
  shot(2_400, { gaze: pt(2, 0), sway: -2 }),
  shot(130, { eyes: 'closed', sway: -1 }),
  shot(1_600, { sway: -1 }),
]);

const bloom = (ms: number, flower: number, sway: number, change: Partial<Pose> = {}): Shot =>
  shot(ms, { eyes: 'happy', mouth: 'grin', flower, sway, stem: 11, stretch: TALLER, ...change });

const greet = clip(false, 5, [
  shot(160, { stretch: FLATTER, eyes: 'half', droop: 0.25 }),
  shot(140, { stretch: FLAT, eyes: 'closed', mouth: 'tiny', droop: 0.5, stem: 7 }),
  shot(120, { stretch: TALLER, eyes: 'wide', mouth: 'smile', stem: 10, flower: 1 }),
  bloom(140, 2, 1),
  bloom(180, 3, 4, { lean: 1 }),
  bloom(180, 3, 1),
  bloom(180, 3, -4, { lean: -1 }),
  bloom(180, 3, -1),
  bloom(180, 3, 4, { lean: 1 }),
  bloom(180, 3, 1),
  bloom(180, 2, -1, { mouth: 'smile' }),
  shot(160, { eyes: 'happy', flower: 1, stem: 10, stretch: FLATTER }),
  shot(240, { stretch: TALLER, sway: 1 }),
]);

const pondering = (ms: number, count: number, change: Partial<Pose> = {}): Shot =>
  shot(ms, {
    gaze: pt(2, -1),
    mouth: 'flat',
    sway: -2,
    lean: -1,
    props: count === 0 ? [] : [{ kind: 'dots', count }],
    ...change,
  });

const think = clip(true, 4, [
  pondering(300, 0, { gaze: pt(1, 0), lean: 0, sway: -1 }),
  pondering(300, 0, { stretch: FLATTER }),
  pondering(480, 1),
  pondering(480, 2, { sway: -3 }),
  pondering(620, 3, { sway: -3 }),
  pondering(130, 3, { eyes: 'closed', sway: -3 }),
  pondering(520, 3, { gaze: pt(-2, -1), mouth: 'tiny' }),
  pondering(420, 3),
]);

const ask = (y: number): readonly Prop[] => [{ kind: 'question', x: 52, y }];
/** Rocks from one foot to the other. */
const waiting = (ms: number, rock: number, change: Partial<Pose> = {}): Shot =>
  shot(ms, {
    eyes: 'wide',
    gaze: pt(1, -1),
    mouth: 'tiny',
    lean: rock,
    sway: -rock * 2,
    leftFoot: pt(0, rock > 0 ? -1 : 0),
    rightFoot: pt(0, rock < 0 ? -1 : 0),
    props: ask(rock === 0 ? 9 : 8),
    ...change,
  });

const wait = clip(true, 0, [
  waiting(520, 0),
  waiting(260, 2),
  waiting(200, 0),
  waiting(260, -2),
  waiting(560, 0, { stretch: TALLER }),
  waiting(130, 0, { eyes: 'closed', stretch: TALLER }),
  waiting(560, 0, { gaze: pt(-2, 0), sway: 2 }),
  waiting(320, 0, { sway: 1 }),
]);

const gloomy = (ms: number, rain: number, change: Partial<Pose> = {}): Shot =>
  shot(ms, {
    stretch: FLAT,
    eyes: 'sad',
    mouth: 'frown',
    blush: false,
    droop: 0.8,
    stem: 8,
    sway: 5,
    props: [{ kind: 'cloud', x: 22 + (rain % 2), rain }],
    ...change,
  });

const fail = clip(true, 2, [
  gloomy(300, 0),
  gloomy(300, 1),
  gloomy(300, 2, { mouth: 'wobble' }),
  gloomy(300, 3, { mouth: 'wobble', droop: 0.9 }),
  gloomy(300, 0, { eyes: 'closed', mouth: 'wobble' }),
  gloomy(300, 1, { stretch: FLATTER }),
  gloomy(300, 2, { gaze: pt(-2, 0) }),
  gloomy(300, 3, { gaze: pt(-2, 0), droop: 0.9 }),
]);

const doze = (ms: number, step: number, stretch: number, change: Partial<Pose> = {}): Shot =>
  shot(ms, {
    stretch,
    eyes: 'closed',
    mouth: 'sleepy',
    gaze: pt(0, 1),
    droop: 0.55,
    stem: 6,
    sway: -1,
    props: [{ kind: 'zzz', step }],
    ...change,
  });

const sleep = clip(true, 3, [
  doze(800, 1, FLAT),
  doze(700, 2, FLATTER, { droop: 0.5 }),
  doze(900, 3, 1, { droop: 0.45, mouth: 'tiny' }),
  doze(800, 3, FLATTER, { droop: 0.5 }),
  doze(700, 2, FLAT, { droop: 0.6 }),
]);

/** Held by the sprout, which gives a little. */
const dangle = (ms: number, swing: number, change: Partial<Pose> = {}): Shot =>
  shot(ms, {
    y: -1,
    swing,
    eyes: 'wide',
    mouth: 'round',
    stretch: TALLER,
    droop: -0.3,
    stem: 9,
    leftFoot: pt(Math.round(swing / 4), 1),
    rightFoot: pt(Math.round(swing / 4), 1),
    shadow: 0,
    ...change,
  });

const drag = clip(true, 1, [
  dangle(150, 0),
  dangle(190, -4),
  dangle(150, -2, { mouth: 'grin' }),
  dangle(150, 2),
  dangle(190, 4, { eyes: 'squeeze' }),
  dangle(150, 1),
]);

const earth = (width: number, burst = 0): readonly Prop[] => [{ kind: 'earth', width, burst }];
const enter = clip(false, 10, [
  shot(160, { sunk: 60, shadow: 0, props: earth(8) }),
  shot(160, { sunk: 48, shadow: 0, droop: -0.4, props: earth(11) }),
  shot(150, { sunk: 38, shadow: 0, sway: 2, props: earth(13) }),
  shot(180, { sunk: 36, shadow: 0, sway: -2, props: earth(13) }),
  shot(180, { sunk: 27, shadow: 0, sway: 1, props: earth(20) }),
  shot(420, { sunk: 13, shadow: 0, eyes: 'half', gaze: pt(-2, 0), props: earth(22) }),
  shot(130, { sunk: 13, shadow: 0, eyes: 'closed', stretch: FLATTER, props: earth(22) }),
  shot(110, { y: -3, stretch: 1.1, eyes: 'happy', mouth: 'grin', droop: 0.4, shadow: 0, props: earth(18, 1) }),
  shot(130, { y: -2, eyes: 'happy', mouth: 'grin', droop: 0, shadow: 0.5, props: earth(14, 0.5) }),
  shot(140, { stretch: FLAT, eyes: 'squeeze', mouth: 'tiny', droop: 0.5, props: [{ kind: 'dust', spread: 0.2 }] }),
  bloom(200, 1, 0, { mouth: 'smile', stem: 9, props: [{ kind: 'dust', spread: 1 }] }),
  bloom(220, 3, 3),
  bloom(220, 3, -3),
  bloom(200, 2, 0, { mouth: 'smile' }),
  shot(240, { stretch: TALLER, sway: 1 }),
]);

const look = clip(false, 1, [
  shot(180, { eyes: 'half' }),
  shot(760, { gaze: pt(-4, 0), lean: -1, sway: 2 }),
  shot(130, { eyes: 'closed', gaze: pt(0, 1) }),
  shot(760, { gaze: pt(4, 0), lean: 1, sway: -2 }),
  shot(620, { gaze: pt(1, -2), eyes: 'wide', mouth: 'tiny', stretch: TALLER, droop: -0.2 }),
  shot(260, { stretch: TALLER, sway: 1 }),
]);

/** A butterfly comes by, sits on the leaf for a while and flies on. */
const visited = (ms: number, x: number, y: number, open: boolean, change: Partial<Pose> = {}): Shot =>
  shot(ms, {
    stretch: FLATTER,
    eyes: 'happy',
    leftFoot: pt(-2, 0),
    rightFoot: pt(2, 0),
    props: [{ kind: 'butterfly', x, y, open }],
    ...change,
  });

const rest = clip(true, 5, [
  visited(1_200, 54, 12, true, { eyes: 'closed', props: [] }),
  visited(220, 53, 12, true, { eyes: 'half', gaze: pt(2, 0) }),
  visited(220, 50, 9, false, { eyes: 'open', gaze: pt(2, 0) }),
  visited(220, 46, 11, true, { eyes: 'open', gaze: pt(2, 0) }),
  visited(220, 43, 8, false, { eyes: 'open', gaze: pt(1, -1), sway: 1 }),
  visited(900, 42, 12, true, { sway: 1, droop: 0.1 }),
  visited(700, 42, 11, false, { sway: 1, droop: 0.1 }),
  visited(900, 42, 12, true, { sway: 1, droop: 0.1 }),
  visited(220, 44, 6, false, { eyes: 'open', gaze: pt(1, -1), sway: -1 }),
  visited(220, 49, 3, true, { eyes: 'open', gaze: pt(2, -1) }),
  visited(220, 54, 3, false, { eyes: 'half', gaze: pt(2, -1) }),
]);

export const CLIPS = { idle, greet, think, wait, fail, sleep, drag, enter, look, rest };
