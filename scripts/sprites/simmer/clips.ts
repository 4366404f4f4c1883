/** Simmer's clips, frame by frame: anticipation, action, settle; timings in ms. */
import { clip, type Shot as ShotOf } from '../drawn.ts';
import { pt } from '../svg.ts';
import { type Pose, type Prop, shot } from './pose.ts';

type Shot = ShotOf<Pose>;

const ft = (x: number, y: number, tilt: number) => ({ x, y, tilt });
const steam = (age: number, strength = 1): Prop => ({ kind: 'steam', age, strength });

/** Breath in: a little taller, the lid and the hands follow late. */
const BREATH: Partial<Pose> = {
  stretch: 1.02,
  lid: 0.8,
  sway: 0.6,
  leftHand: pt(20.4, 100.6),
  rightHand: pt(98.6, 102.6),
};

const idle = clip(true, 0, [
  shot(2_400),
  shot(1_700, { ...BREATH, props: [steam(0.12, 0.7)] }),
  shot(1_700, { ...BREATH, lid: 0.3, props: [steam(0.3, 0.8)] }),
  shot(110, { eyes: 'half' }),
  shot(120, { eyes: 'closed' }),
  shot(2_600),
  shot(1_900, BREATH),
  shot(2_200, { gaze: pt(2.4, -0.8), spout: -2 }),
  shot(120, { eyes: 'closed' }),
  shot(240),
  shot(110, { eyes: 'closed' }),
  shot(1_800),
]);

/** The lid is lifted like a hat. */
const tip = (ms: number, x: number, y: number, change: Partial<Pose> = {}): Shot =>
  shot(ms, {
    eyes: 'happy',
    mouth: 'grin',
    blush: 1,
    stretch: 1.03,
    lean: 3,
    spout: -6,
    lid: 15,
    lidAside: -7,
    lidTilt: -20,
    bail: 1,
    sway: 4,
    leftHand: pt(34, 28),
    rightHand: pt(x, y),
    ...change,
  });

const greet = clip(false, 4, [
  shot(130, { stretch: 0.93, eyes: 'half', leftHand: pt(22, 106), rightHand: pt(99, 107), sway: -1 }),
  shot(110, {
    stretch: 1.05,
    eyes: 'wide',
    mouth: 'grin',
    leftHand: pt(20, 58),
    rightHand: pt(108, 96),
    lid: 1,
    sway: -2,
  }),
  shot(100, {
    stretch: 1.04,
    eyes: 'happy',
    mouth: 'grin',
    leftHand: pt(33, 42),
    rightHand: pt(112, 92),
    lid: 3,
    lidTilt: -6,
    lidAside: -1,
  }),
  tip(160, 116, 90, { lid: 17 }),
  tip(190, 114, 84, {}),
  tip(190, 118, 92, { sway: 2 }),
  tip(190, 114, 84, { sway: 4 }),
  tip(160, 117, 92, { sway: 2 }),
  shot(100, {
    stretch: 0.97,
    eyes: 'happy',
    blush: 1,
    leftHand: pt(30, 46),
    rightHand: pt(104, 98),
    lid: 1.5,
    sway: -3,
  }),
  shot(130, { stretch: 1.02, eyes: 'happy', blush: 1, leftHand: pt(18, 84), lid: 0, sway: 2 }),
  shot(260, { ...BREATH, lid: 0, blush: 1 }),
]);

const confetti = (age: number): readonly Prop[] => [{ kind: 'confetti', age }];
const CHEER: Partial<Pose> = {
  eyes: 'happy',
  mouth: 'grin',
  blush: 1,
  leftHand: pt(14, 62),
  rightHand: pt(110, 84),
  spout: -10,
};

const celebrate = clip(false, 4, [
  shot(140, {
    stretch: 0.92,
    eyes: 'wide',
    mouth: 'tiny',
    leftHand: pt(24, 106),
    rightHand: pt(97, 107),
    lid: 0.6,
    sway: -1,
  }),
  shot(130, {
    stretch: 0.84,
    eyes: 'squeeze',
    mouth: 'tiny',
    leftHand: pt(22, 108),
    rightHand: pt(99, 109),
    lid: 0,
    bail: 0.9,
    spout: 6,
  }),
  shot(80, {
    ...CHEER,
    y: -5,
    stretch: 1.08,
    lid: 12,
    lidTilt: -6,
    leftFoot: ft(1, 3, 12),
    rightFoot: ft(-1, 3, -12),
    shadow: 0.7,
    bail: 0.92,
    props: confetti(0.06),
  }),
  shot(110, {
    ...CHEER,
    y: -9,
    stretch: 1.02,
    lid: 22,
    lidTilt: 10,
    bail: 0.86,
    leftFoot: ft(-1, 1, 10),
    rightFoot: ft(1, 1, -10),
    shadow: 0.4,
    props: confetti(0.18),
  }),
  shot(150, {
    ...CHEER,
    y: -10,
    stretch: 0.99,
    lid: 25,
    lidTilt: 24,
    lidAside: 2,
    bail: 0.84,
    leftHand: pt(12, 58),
    rightHand: pt(113, 80),
    leftFoot: ft(-4, -2, 20),
    rightFoot: ft(4, -2, -20),
    shadow: 0.35,
    props: confetti(0.32),
  }),
  shot(90, {
    ...CHEER,
    y: -5,
    stretch: 1.02,
    lid: 18,
    lidTilt: 14,
    lidAside: 1,
    bail: 0.94,
    shadow: 0.6,
    props: confetti(0.45),
  }),
  shot(110, {
    ...CHEER,
    stretch: 0.88,
    lid: 9,
    lidTilt: 4,
    bail: 0.9,
    leftHand: pt(16, 80),
    rightHand: pt(106, 96),
    leftFoot: ft(-2, 0, 0),
    rightFoot: ft(2, 0, 0),
    spout: 8,
    props: confetti(0.56),
  }),
  shot(110, { ...CHEER, stretch: 1.05, lean: 3, lid: 2, lidTilt: -3, sway: 3, props: confetti(0.68) }),
  shot(150, {
    ...CHEER,
    stretch: 0.98,
    lean: -4,
    leftHand: pt(14, 68),
    rightHand: pt(112, 80),
    sway: -3,
    props: confetti(0.8),
  }),
  shot(150, {
    ...CHEER,
    stretch: 1.01,
    lean: 3,
    leftHand: pt(14, 60),
    rightHand: pt(108, 88),
    sway: 2,
    props: confetti(0.91),
  }),
  shot(260, { eyes: 'happy', blush: 1, mouth: 'grin', stretch: 1.01, lid: 0.6 }),
]);

/** Both hands push the gear on by a tooth in four frames. */
const turning = (ms: number, phase: number, change: Partial<Pose> = {}): Shot => {
  const push = Math.sin((phase / 4) * Math.PI * 2) * 6;
  return shot(ms, {
    gaze: pt(0, -1),
    mouth: 'flat',
    lean: push * 0.25,
    lid: phase % 2 === 0 ? 0.4 : 2.4,
    lidTilt: phase === 1 ? -3 : phase === 3 ? 3 : 0,
    sway: -push * 0.35,
    leftHand: pt(42.5, 103 - push),
    rightHand: pt(77.5, 103 + push),
    props: [{ kind: 'gear', turn: phase * 11.25 }, steam(phase / 8, 0.9)],
    ...change,
  });
};

const work = clip(true, 1, [
  turning(180, 0),
  turning(180, 1),
  turning(180, 2),
  turning(180, 3),
  turning(180, 0, { props: [{ kind: 'gear', turn: 0 }, steam(0.5, 0.9)] }),
  turning(180, 1, { gaze: pt(1, -1), props: [{ kind: 'gear', turn: 11.25 }, steam(0.625, 0.9)] }),
  turning(120, 2, { eyes: 'closed', props: [{ kind: 'gear', turn: 22.5 }, steam(0.75, 0.9)] }),
  turning(180, 3, { props: [{ kind: 'gear', turn: 33.75 }, steam(0.875, 0.9)] }),
]);

const pondering = (ms: number, count: number, change: Partial<Pose> = {}): Shot =>
  shot(ms, {
    lean: -3,
    gaze: pt(2.2, -3),
    mouth: 'flat',
    leftHand: pt(48, 99),
    rightHand: pt(97, 106),
    lidTilt: -2,
    sway: -2,
    spout: -4,
    props: count === 0 ? [] : [{ kind: 'dots', count }],
    ...change,
  });

const think = clip(true, 4, [
  pondering(260, 0, { lean: -1, gaze: pt(0.8, -1.4), leftHand: pt(38, 102), spout: 0 }),
  pondering(240, 0, { stretch: 0.985, spout: -6 }),
  pondering(420, 1),
  pondering(420, 2, { leftHand: pt(49, 98), lid: 0.6 }),
  pondering(540, 3, { lid: 1.2, sway: -1 }),
  pondering(120, 3, { eyes: 'closed', lid: 1.2, sway: -1 }),
  pondering(440, 3, { gaze: pt(-2.2, -2.6), leftHand: pt(49, 98), mouth: 'tiny', lid: 0.6 }),
  pondering(360, 3),
]);

const ask = (tilt: number, y = 30): Prop => ({ kind: 'question', tilt, y });
/** The foot taps, and the lid with it. */
const waiting = (ms: number, toe: number, change: Partial<Pose> = {}): Shot =>
  shot(ms, {
    eyes: 'wide',
    gaze: pt(1.2, -2.8),
    mouth: 'tiny',
    stretch: 1.01,
    leftHand: pt(50, 104),
    rightHand: pt(70, 104),
    leftFoot: ft(-1.5, toe === 0 ? 0 : -1.6, -toe),
    lid: toe === 0 ? 0 : 1.6,
    props: [ask(6)],
    ...change,
  });

const wait = clip(true, 0, [
  waiting(440, 0),
  waiting(150, -16),
  waiting(170, 0, { props: [ask(10, 29)] }),
  waiting(150, -16, { props: [ask(10, 29)] }),
  waiting(580, 0, { stretch: 1.025, sway: 1 }),
  waiting(120, 0, { eyes: 'closed', stretch: 1.025, sway: 1 }),
  waiting(500, 0, { gaze: pt(-2.6, -2.2), lean: -2, sway: -2, props: [ask(-4)] }),
  waiting(300, 0, { props: [ask(0)] }),
]);

/** Gone cold: handle down, lid askew, spout hanging. */
const cold = (ms: number, fall: number, pool: number, change: Partial<Pose> = {}): Shot =>
  shot(ms, {
    stretch: 0.93,
    eyes: 'sad',
    gaze: pt(0, 1.6),
    mouth: 'frown',
    blush: 0.3,
    lidTilt: 9,
    lidAside: 3,
    lid: 1,
    bail: 0.62,
    sway: -9,
    spout: 15,
    leftHand: pt(24, 107),
    rightHand: pt(96, 108),
    props: [{ kind: 'drip', fall, pool }],
    ...change,
  });

const fail = clip(true, 2, [
  cold(520, 0, 0.9),
  cold(380, 0.12, 0.8, { stretch: 0.945, bail: 0.64 }),
  cold(620, 0.22, 0.7, { mouth: 'wobble' }),
  cold(110, 0.62, 0.6, { mouth: 'wobble', eyes: 'closed', stretch: 0.925 }),
  cold(420, 1, 1, { eyes: 'closed', stretch: 0.92, bail: 0.61 }),
  cold(560, 1, 1, { gaze: pt(-2.4, 2), lean: -1.5 }),
]);

const doze = (ms: number, step: number, breath: number): Shot =>
  shot(ms, {
    stretch: 0.9 + breath * 0.03,
    eyes: 'dim',
    gaze: pt(0, 2.4),
    mouth: breath > 0.6 ? 'tiny' : 'none',
    lid: breath * 2.2,
    lidTilt: breath * -2,
    bail: 0.66 + breath * 0.02,
    sway: 8,
    spout: 8 - breath * 3,
    leftHand: pt(46, 107),
    rightHand: pt(74, 107),
    leftFoot: ft(-4, 0.6, -8),
    rightFoot: ft(4, 0.6, 8),
    props: [{ kind: 'zzz', step }],
  });

const sleep = clip(true, 3, [
  doze(700, 0, 0),
  doze(700, 1, 0.7),
  doze(700, 2, 1),
  doze(900, 3, 0.7),
  doze(700, 4, 0.15),
]);

const cup = (full: number, steam = 0, slide = 0): Prop => ({ kind: 'cup', full, steam, slide });
/** The kettle steps aside to make room for the cup. */
const POURING = 17;
const serving = (ms: number, full: number, stream: number, change: Partial<Pose> = {}): Shot =>
  shot(ms, {
    x: -POURING,
    leftHand: pt(26, 102),
    props: stream > 0 ? [{ kind: 'stream', width: stream }, cup(full)] : [cup(full)],
    ...change,
  });
const pour = (ms: number, full: number, lean: number, stream: number, change: Partial<Pose> = {}): Shot =>
  serving(ms, full, stream, {
    lean,
    eyes: 'open',
    gaze: pt(2.6, 2),
    mouth: 'tiny',
    sway: -lean * 0.3,
    spout: 12,
    leftHand: pt(20, 84),
    rightHand: pt(98, 98),
    leftFoot: ft(2, -2, 10),
    lidTilt: 2,
    ...change,
  });
const served = (ms: number, warmth: number, change: Partial<Pose> = {}): Shot =>
  shot(ms, {
    x: -POURING,
    eyes: 'happy',
    mouth: 'grin',
    blush: 1,
    rightHand: pt(112, 92),
    leftHand: pt(26, 96),
    props: [cup(1, warmth)],
    ...change,
  });

const tea = clip(false, 6, [
  shot(160, { x: -6, stretch: 0.95, eyes: 'happy', leftHand: pt(26, 106), rightHand: pt(96, 106) }),
  serving(150, 0, 0, {
    x: -12,
    stretch: 1.03,
    eyes: 'happy',
    mouth: 'smile',
    rightHand: pt(94, 104),
    sway: 2,
    props: [cup(0, 0, 13)],
  }),
  serving(190, 0, 0, { stretch: 1.01, lean: 2, eyes: 'wide', mouth: 'grin', rightHand: pt(108, 103), sway: -2 }),
  serving(190, 0, 0, { lean: -6, stretch: 0.98, spout: -6, sway: 4, gaze: pt(2, 1), lid: 1 }),
  pour(110, 0, 9, 0, { stretch: 1.02 }),
  pour(220, 0.3, 13, 2.6),
  pour(300, 0.5, 14, 4.6, { lidTilt: 3, lid: 0.6 }),
  pour(300, 0.8, 14, 4.2, { mouth: 'smile', sway: -5 }),
  pour(180, 1, 12.5, 1.8, { mouth: 'smile' }),
  serving(130, 1, 0, { lean: -3, stretch: 1.03, spout: -8, sway: 4, eyes: 'closed', mouth: 'smile' }),
  served(240, 0.1, { stretch: 0.98, sway: -2 }),
  served(300, 0.25),
  served(300, 0.4, { stretch: 1.02, lean: 2, sway: 1, rightHand: pt(111, 90) }),
  served(300, 0.55),
  served(300, 0.7, { stretch: 1.02, lean: 2, sway: 1, rightHand: pt(111, 90) }),
  shot(200, { x: -6, eyes: 'happy', blush: 1 }),
]);

/** Carried by the handle, as a kettle is. */
const dangle = (ms: number, swing: number, change: Partial<Pose> = {}): Shot =>
  shot(ms, {
    y: -1,
    stretch: 1.02,
    swing,
    eyes: 'wide',
    mouth: 'round',
    gaze: pt(swing * -0.15, 0.6),
    leftHand: pt(15, 84 + swing * 0.5),
    rightHand: pt(104, 96 - swing * 0.5),
    lid: Math.abs(swing) * 0.25,
    lidTilt: swing * 0.7,
    spout: swing * 0.6,
    leftFoot: ft(3 - swing * 0.1, 1.5, 18 + swing * 0.8),
    rightFoot: ft(-3 - swing * 0.1, 1.5, -18 + swing * 0.8),
    shadow: 0,
    ...change,
  });

const drag = clip(true, 1, [
  dangle(140, 0),
  dangle(180, 7),
  dangle(140, 3, { mouth: 'grin' }),
  dangle(140, -3),
  dangle(180, -7, { eyes: 'squeeze' }),
  dangle(140, -2),
]);

const cloud = (size: number, spread = 0): Prop => ({ kind: 'cloud', size, spread });
const enter = clip(false, 9, [
  shot(130, { grown: 0, props: [cloud(0.35)] }),
  shot(130, { grown: 0, props: [cloud(0.75)] }),
  shot(140, { grown: 0, props: [cloud(1.08)] }),
  shot(110, { grown: 0.62, stretch: 0.86, eyes: 'squeeze', props: [cloud(1.12, 0.12)] }),
  shot(100, {
    grown: 1,
    stretch: 1.08,
    y: -3,
    eyes: 'happy',
    mouth: 'grin',
    lid: 14,
    lidTilt: -8,
    bail: 0.9,
    leftHand: pt(15, 70),
    rightHand: pt(108, 86),
    spout: -10,
    shadow: 0.7,
    props: [cloud(1.1, 0.45)],
  }),
  shot(120, {
    y: -5,
    stretch: 1.02,
    eyes: 'happy',
    mouth: 'grin',
    lid: 18,
    lidTilt: 8,
    bail: 0.88,
    leftHand: pt(13, 64),
    rightHand: pt(111, 82),
    spout: -10,
    shadow: 0.6,
    props: [cloud(1.1, 0.75)],
  }),
  shot(110, {
    stretch: 0.88,
    eyes: 'closed',
    mouth: 'smile',
    lid: 6,
    bail: 0.94,
    leftHand: pt(20, 100),
    rightHand: pt(102, 104),
    spout: 8,
    props: [cloud(1.1, 0.95)],
  }),
  shot(110, { stretch: 1.04, eyes: 'wide', mouth: 'smile', sway: 2 }),
  tip(160, 116, 90, { lid: 13 }),
  tip(200, 114, 84),
  tip(200, 117, 92, { sway: 2 }),
  shot(120, { stretch: 0.98, eyes: 'happy', blush: 1, leftHand: pt(28, 50), lid: 1.5, sway: -3 }),
  shot(240, { ...BREATH, lid: 0, blush: 1 }),
]);

const look = clip(false, 1, [
  shot(160, { eyes: 'half' }),
  shot(700, { gaze: pt(-5, 0), lean: -3, sway: -3, spout: 3 }),
  shot(120, { gaze: pt(0, 1), eyes: 'closed' }),
  shot(260, { gaze: pt(5, -0.6), lean: 2, spout: -8, sway: 3 }),
  shot(160, { gaze: pt(5, -0.6), lean: 2, spout: -2, sway: 3 }),
  shot(420, { gaze: pt(5, -0.6), lean: 2, spout: -8, sway: 3 }),
  shot(560, { gaze: pt(1.6, -3.4), eyes: 'wide', mouth: 'tiny', stretch: 1.02, lid: 1 }),
  shot(240, BREATH),
]);

/** Sits on the ground and hums a tune. */
const hum = (ms: number, step: number, lean: number, change: Partial<Pose> = {}): Shot =>
  shot(ms, {
    stretch: 0.955,
    lean,
    eyes: 'happy',
    mouth: 'tiny',
    gaze: pt(lean * 0.4, -0.6),
    blush: 0.95,
    sway: lean * 1.2,
    lid: step % 2 === 0 ? 0 : 1.2,
    spout: step % 2 === 0 ? -4 : -9,
    leftHand: pt(43, 107),
    rightHand: pt(77, 107),
    leftFoot: ft(-6, 0.4, -14),
    rightFoot: ft(6, 0.4, 14),
    props: [{ kind: 'notes', step }],
    ...change,
  });

const rest = clip(true, 2, [
  hum(560, 0, -2),
  hum(560, 1, 0),
  hum(640, 2, 2),
  hum(560, 3, 0),
  hum(560, 0, -2, { eyes: 'closed' }),
  hum(560, 1, 0, { mouth: 'round' }),
  hum(760, 2, 2),
  hum(560, 3, 0, { eyes: 'open', gaze: pt(2.4, -2) }),
]);

export const CLIPS = { idle, greet, celebrate, work, think, wait, fail, sleep, tea, drag, enter, look, rest };
