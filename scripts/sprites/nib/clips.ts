/** Nib's clips, frame by frame: anticipation, action, settle; timings in ms. */
import { clip, type Shot as ShotOf } from '../drawn.ts';
import { pt } from '../svg.ts';
import { type Pose, type Prop, shot } from './pose.ts';

type Shot = ShotOf<Pose>;

const ft = (x: number, y: number, tilt: number) => ({ x, y, tilt });

/** Breath in: a little taller, feather and hands follow late. */
const BREATH: Partial<Pose> = {
  stretch: 1.022,
  feather: 13,
  bend: 7,
  leftHand: pt(25.4, 96),
  rightHand: pt(102.6, 96),
  leftEar: 2,
  rightEar: 2,
};

const idle = clip(true, 0, [
  shot(3_000),
  shot(2_200, BREATH),
  shot(3_000),
  shot(130, { eyes: 'half' }),
  shot(110, { eyes: 'closed' }),
  shot(2_600),
  shot(2_200, BREATH),
  shot(2_000, { gaze: pt(-1.6, 0.2), face: pt(-2, 0), leftEar: 5 }),
  shot(120, { eyes: 'closed' }),
  shot(2_000),
]);

const HELLO: Partial<Pose> = {
  eyes: 'happy',
  mouth: 'grin',
  blush: 1,
  stretch: 1.03,
  lean: -3,
  leftEar: -4,
  leftHand: pt(27, 95),
};
const hello = (ms: number, x: number, y: number, feather: number, rightEar: number): Shot =>
  shot(ms, { ...HELLO, rightHand: pt(x, y), feather, bend: 5 + (feather - 16) * -0.4, rightEar });

const greet = clip(false, 3, [
  shot(120, { stretch: 0.92, rightHand: pt(103, 104), leftHand: pt(26, 101), feather: 24, bend: 0, eyes: 'half' }),
  shot(90, {
    stretch: 1.07,
    lean: -2,
    mouth: 'grin',
    eyes: 'wide',
    rightHand: pt(108, 74),
    feather: 4,
    bend: 12,
    rightEar: 8,
  }),
  hello(150, 107, 58, 20, 10),
  hello(150, 117, 66, 10, 14),
  hello(150, 106, 58, 20, 8),
  hello(150, 117, 66, 10, 14),
  hello(150, 106, 58, 20, 8),
  hello(190, 116, 66, 10, 12),
  shot(150, { stretch: 0.975, eyes: 'happy', blush: 1, rightHand: pt(105, 88), feather: 22, bend: 2 }),
  shot(260, { ...BREATH, mouth: 'smile', blush: 1 }),
]);

const confetti = (age: number): Prop => ({ kind: 'confetti', age });
const CHEER: Partial<Pose> = { eyes: 'happy', mouth: 'grin', blush: 1, leftHand: pt(17, 64), rightHand: pt(111, 64) };

const celebrate = clip(false, 4, [
  shot(130, { stretch: 0.9, eyes: 'open', leftHand: pt(24, 104), rightHand: pt(104, 104), feather: 22, bend: 0 }),
  shot(110, {
    stretch: 0.82,
    eyes: 'closed',
    leftHand: pt(22, 108),
    rightHand: pt(106, 108),
    feather: 30,
    bend: -4,
    leftEar: 14,
    rightEar: 14,
  }),
  shot(80, {
    ...CHEER,
    y: -5,
    stretch: 1.1,
    feather: 66,
    bend: 12,
    leftFoot: ft(1, 3, 14),
    rightFoot: ft(-1, 3, -14),
    shadow: 0.7,
    props: [confetti(0.06)],
  }),
  shot(110, {
    ...CHEER,
    y: -12,
    stretch: 1.04,
    feather: 54,
    bend: 10,
    leftFoot: ft(-1, 1, 10),
    rightFoot: ft(1, 1, -10),
    shadow: 0.4,
    props: [confetti(0.18)],
  }),
  shot(150, {
    ...CHEER,
    y: -13,
    stretch: 0.99,
    feather: 40,
    bend: 10,
    leftHand: pt(14, 60),
    rightHand: pt(114, 60),
    leftFoot: ft(-4, -3, 22),
    rightFoot: ft(4, -3, -22),
    leftEar: -8,
    rightEar: -8,
    shadow: 0.35,
    props: [confetti(0.32)],
  }),
  shot(90, {
    ...CHEER,
    y: -6,
    stretch: 1.03,
    feather: 16,
    bend: 3,
    leftEar: -10,
    rightEar: -10,
    shadow: 0.6,
    props: [confetti(0.45)],
  }),
  shot(110, {
    ...CHEER,
    stretch: 0.86,
    leftHand: pt(18, 78),
    rightHand: pt(110, 78),
    feather: 30,
    bend: -6,
    leftEar: 12,
    rightEar: 12,
    leftFoot: ft(-2, 0, 0),
    rightFoot: ft(2, 0, 0),
    props: [confetti(0.56)],
  }),
  shot(120, { ...CHEER, stretch: 1.06, lean: 4, feather: 8, bend: 8, props: [confetti(0.68)] }),
  shot(150, {
    ...CHEER,
    stretch: 0.98,
    lean: -4,
    leftHand: pt(16, 68),
    rightHand: pt(112, 60),
    feather: 20,
    bend: 4,
    props: [confetti(0.8)],
  }),
  shot(150, {
    ...CHEER,
    stretch: 1.01,
    lean: 3,
    leftHand: pt(16, 60),
    rightHand: pt(112, 68),
    feather: 12,
    bend: 7,
    props: [confetti(0.91)],
  }),
  shot(240, { eyes: 'happy', blush: 1, mouth: 'grin', stretch: 1.01 }),
]);

const laptop = (glow: number): Prop => ({ kind: 'laptop', x: 64, y: 116, glow });
const busy = (ms: number, left: number, right: number, change: Partial<Pose> = {}): Shot =>
  shot(ms, {
    gaze: pt(0, 2.2),
    mouth: 'tiny',
    face: pt(0, -0.5),
    leftHand: pt(49, 95 - left),
    rightHand: pt(79, 95 - right),
    props: [laptop(left > right ? 1 : 0)],
    ...change,
  });

const work = clip(true, 0, [
  busy(190, 6, 0, { lean: -1.2, feather: 19 }),
  busy(190, 0, 6, { lean: 1.2, feather: 14 }),
  busy(190, 6, 0, { lean: -1.2, gaze: pt(0.8, 0), feather: 18 }),
  busy(190, 0, 6, { lean: 1.2, gaze: pt(0.8, 0), feather: 13 }),
  busy(190, 6, 0, { lean: -1.2, feather: 19 }),
  busy(420, 1, 1, { eyes: 'open', gaze: pt(0, 1.2), stretch: 1.02, feather: 10, bend: 8 }),
  busy(120, 1, 1, { eyes: 'closed', stretch: 1.02, feather: 10, bend: 8 }),
  busy(330, 1, 1, { eyes: 'open', gaze: pt(0, 1.2), mouth: 'smile', stretch: 1.02, feather: 12, bend: 7 }),
  busy(190, 0, 6, { lean: 1.2, feather: 14 }),
]);

const pondering = (ms: number, count: number, change: Partial<Pose> = {}): Shot =>
  shot(ms, {
    lean: -3,
    eyes: 'open',
    gaze: pt(1.6, -2.2),
    face: pt(1.5, -1.5),
    mouth: 'flat',
    brows: 1,
    leftEar: -4,
    rightEar: 6,
    leftHand: pt(53, 94),
    rightHand: pt(78, 103),
    feather: 6,
    bend: 4,
    props: count === 0 ? [] : [{ kind: 'dots', count }],
    ...change,
  });

const think = clip(true, 4, [
  pondering(260, 0, { lean: -1, leftHand: pt(44, 98), gaze: pt(0, -1) }),
  pondering(240, 0, { stretch: 0.985 }),
  pondering(420, 1),
  pondering(420, 2, { leftHand: pt(54, 93) }),
  pondering(520, 3, { leftHand: pt(53, 94), feather: 9 }),
  pondering(130, 3, { eyes: 'closed', feather: 9 }),
  pondering(420, 3, { gaze: pt(-1.8, -2), leftHand: pt(54, 93), mouth: 'tiny', feather: 7 }),
  pondering(360, 3, { gaze: pt(1.6, -2.2), feather: 6 }),
]);

const ask = (size: number, tilt: number, y = 30): Prop => ({ kind: 'question', x: 106, y, tilt, size });
const waiting = (ms: number, toe: number, change: Partial<Pose> = {}): Shot =>
  shot(ms, {
    gaze: pt(0.8, -2.4),
    face: pt(1, -3.4),
    eyes: 'wide',
    mouth: 'tiny',
    stretch: 1.01,
    leftHand: pt(56, 99),
    rightHand: pt(72, 99),
    leftEar: 6,
    rightEar: 6,
    feather: 14,
    rightFoot: ft(2, toe === 0 ? 0 : -1.6, toe),
    props: [ask(1.05, 6)],
    ...change,
  });

const wait = clip(true, 0, [
  waiting(420, 0),
  waiting(150, -16),
  waiting(170, 0, { props: [ask(1.05, 10, 29)] }),
  waiting(150, -16, { props: [ask(1.05, 10, 29)] }),
  waiting(560, 0, { stretch: 1.025, feather: 11, bend: 7 }),
  waiting(120, 0, { eyes: 'closed', stretch: 1.025, feather: 11, bend: 7 }),
  waiting(480, 0, { gaze: pt(-1.8, -1.8), face: pt(-2, -3), lean: -2, leftEar: 10, props: [ask(1.05, -4)] }),
  waiting(300, 0, { props: [ask(1.05, 0)] }),
]);

const DROOP: Partial<Pose> = {
  stretch: 0.93,
  eyes: 'sad',
  gaze: pt(0, 1.2),
  face: pt(0, 2.5),
  mouth: 'frown',
  brows: null,
  blush: 0.35,
  leftEar: 46,
  rightEar: 46,
  feather: 62,
  bend: 12,
  leftHand: pt(27, 105),
  rightHand: pt(101, 105),
};
const sad = (ms: number, change: Partial<Pose> = {}): Shot => shot(ms, { ...DROOP, ...change });
const sweat = (y: number, size: number): readonly Prop[] => [{ kind: 'sweat', x: 90, y, size }];

const fail = clip(true, 3, [
  sad(520),
  sad(420, { stretch: 0.95, feather: 58, props: sweat(50, 0.69) }),
  sad(420, { stretch: 0.945, feather: 60, props: sweat(51, 1.06) }),
  sad(620, { mouth: 'wobble', props: sweat(54, 1.25) }),
  sad(260, { mouth: 'wobble', eyes: 'closed', stretch: 0.92, feather: 65, props: sweat(61, 1.25) }),
  sad(260, { eyes: 'closed', stretch: 0.92, feather: 65, props: sweat(70, 1.06) }),
  sad(480, { lean: -1.5, gaze: pt(-2, 1.6), face: pt(-1.5, 2.5) }),
]);

const DOZE: Partial<Pose> = {
  stretch: 0.88,
  eyes: 'closed',
  mouth: 'sleepy',
  face: pt(0, 4),
  leftEar: 30,
  rightEar: 30,
  feather: -46,
  bend: -8,
  blush: 0.9,
  leftHand: pt(55, 103),
  rightHand: pt(73, 103),
  leftFoot: ft(-4, 0.6, -8),
  rightFoot: ft(4, 0.6, 8),
};
const doze = (ms: number, step: number, change: Partial<Pose> = {}): Shot =>
  shot(ms, { ...DOZE, props: [{ kind: 'zzz', step }], ...change });

const sleep = clip(true, 3, [
  doze(700, 0),
  doze(700, 1, { stretch: 0.905, feather: -43, leftEar: 28 }),
  doze(700, 2, { stretch: 0.915, feather: -41, leftEar: 27, mouth: 'tiny' }),
  doze(900, 3, { stretch: 0.905, feather: -43 }),
  doze(700, 4, { stretch: 0.885, feather: -45 }),
]);

const dangle = (ms: number, swing: number, change: Partial<Pose> = {}): Shot =>
  shot(ms, {
    y: 0,
    stretch: 1.04,
    swing,
    eyes: 'wide',
    mouth: 'round',
    gaze: pt(swing * 0.1, 0.4),
    face: pt(swing * 0.15, 0),
    leftHand: pt(20, 74 + swing * 0.4),
    rightHand: pt(108, 74 - swing * 0.4),
    leftEar: 18,
    rightEar: 18,
    feather: 30 - swing * 1.5,
    bend: 8,
    leftFoot: ft(2 - swing * 0.1, 1.5, 20 + swing * 0.8),
    rightFoot: ft(-2 - swing * 0.1, 1.5, -20 + swing * 0.8),
    shadow: 0,
    ...change,
  });

const drag = clip(true, 1, [
  dangle(140, 0),
  dangle(180, 8),
  dangle(140, 3, { mouth: 'grin' }),
  dangle(140, -3),
  dangle(180, -8, { eyes: 'squeeze' }),
  dangle(140, -2),
]);

const puddle = (size: number, splash = 0): Prop => ({ kind: 'puddle', size, splash });
const enter = clip(false, 8, [
  shot(140, { risen: 0, shadow: 0, props: [puddle(0.45)] }),
  shot(140, { risen: 0, shadow: 0, props: [puddle(0.95)] }),
  shot(130, { risen: 0.36, shadow: 0, stretch: 0.96, feather: 8, bend: 2, eyes: 'closed', props: [puddle(1.05)] }),
  shot(170, {
    risen: 0.7,
    shadow: 0,
    stretch: 0.94,
    eyes: 'open',
    gaze: pt(-2.2, -0.5),
    mouth: 'tiny',
    feather: 18,
    props: [puddle(1)],
  }),
  shot(80, {
    y: -4,
    stretch: 1.1,
    eyes: 'happy',
    mouth: 'grin',
    feather: 64,
    bend: 12,
    leftHand: pt(20, 76),
    rightHand: pt(108, 76),
    leftFoot: ft(1, 3, 14),
    rightFoot: ft(-1, 3, -14),
    shadow: 0,
    props: [puddle(0.9, 0.75)],
  }),
  shot(120, {
    y: -8,
    stretch: 1.03,
    eyes: 'happy',
    mouth: 'grin',
    feather: 42,
    bend: 10,
    leftHand: pt(16, 68),
    rightHand: pt(112, 68),
    leftFoot: ft(-2, 0, 14),
    rightFoot: ft(2, 0, -14),
    shadow: 0,
    props: [puddle(0.65, 1)],
  }),
  shot(100, {
    stretch: 0.87,
    eyes: 'closed',
    mouth: 'smile',
    feather: 28,
    bend: -4,
    leftHand: pt(22, 100),
    rightHand: pt(106, 100),
    leftEar: 12,
    rightEar: 12,
    props: [puddle(0.55)],
  }),
  shot(110, { stretch: 1.05, eyes: 'wide', mouth: 'smile', feather: 8, bend: 9 }),
  hello(170, 107, 58, 20, 10),
  hello(170, 117, 66, 10, 14),
  hello(170, 107, 58, 20, 10),
  shot(260, { ...BREATH, blush: 1 }),
]);

const look = clip(false, 1, [
  shot(160, { eyes: 'half', feather: 19 }),
  shot(700, { face: pt(-5.5, 0), gaze: pt(-1.8, 0), lean: -2, leftEar: 10, rightEar: -4, feather: 22 }),
  shot(130, { face: pt(0, 1), eyes: 'closed' }),
  shot(700, { face: pt(5.5, 0), gaze: pt(1.8, 0), lean: 2, leftEar: -4, rightEar: 10, feather: 8 }),
  shot(520, {
    face: pt(2.5, -4),
    gaze: pt(1, -2.2),
    eyes: 'wide',
    mouth: 'tiny',
    stretch: 1.02,
    leftEar: 6,
    rightEar: 6,
    feather: 12,
  }),
  shot(240, { ...BREATH }),
]);

const tea = (x: number, y: number, tilt: number, steam: number): readonly Prop[] => [
  { kind: 'cup', x, y, tilt, steam },
];
const seated = (ms: number, change: Partial<Pose>): Shot =>
  shot(ms, {
    stretch: 0.95,
    gaze: pt(0, 1.4),
    face: pt(0, -3.5),
    leftHand: pt(54, 107),
    rightHand: pt(74, 107),
    leftFoot: ft(-5, 0.4, -12),
    rightFoot: ft(5, 0.4, 12),
    feather: 22,
    blush: 0.9,
    props: tea(64, 106, 0, 0.6),
    ...change,
  });
const SIP: Partial<Pose> = {
  eyes: 'closed',
  mouth: 'sip',
  face: pt(0, -1),
  leftHand: pt(54, 95),
  rightHand: pt(74, 95),
};

const rest = clip(true, 0, [
  seated(1_400, {}),
  seated(900, { stretch: 0.965, props: tea(64, 105.6, 0, 1.8), feather: 20 }),
  seated(260, { eyes: 'closed', leftHand: pt(54, 101), rightHand: pt(74, 101), props: tea(64, 100, 0, 0) }),
  seated(900, { ...SIP, props: tea(64, 93, 0, 0) }),
  seated(420, { eyes: 'happy', mouth: 'smile', blush: 1, props: tea(64, 106, 0, 0.6) }),
  seated(1_100, {
    eyes: 'happy',
    mouth: 'smile',
    blush: 1,
    stretch: 0.965,
    props: tea(64, 105.6, 0, 1.8),
    feather: 20,
  }),
]);

export const CLIPS = { idle, greet, celebrate, work, think, wait, fail, sleep, drag, enter, look, rest };
