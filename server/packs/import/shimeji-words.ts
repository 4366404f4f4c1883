/** The words of Shimeji-ee's files in both their languages, and which actions stand for which of our clips. Data. */
import type { Basis } from '../../protocol/character.ts';

/** Element and attribute names: the Japanese one → the English one. */
export const ENGLISH: Readonly<Record<string, string>> = {
  マスコット: 'Mascot',
  動作リスト: 'ActionList',
  動作: 'Action',
  動作参照: 'ActionReference',
  アニメーション: 'Animation',
  ポーズ: 'Pose',
  名前: 'Name',
  種類: 'Type',
  クラス: 'Class',
  枠: 'BorderType',
  繰り返し: 'Loop',
  条件: 'Condition',
  画像: 'Image',
  画像右: 'ImageRight',
  右画像: 'ImageRight',
  基準座標: 'ImageAnchor',
  移動速度: 'Velocity',
  長さ: 'Duration',
  // Values of Type and BorderType.
  組み込み: 'Embedded',
  移動: 'Move',
  静止: 'Stay',
  固定: 'Animate',
  複合: 'Sequence',
  選択: 'Select',
  地面: 'Floor',
  壁: 'Wall',
  天井: 'Ceiling',
};

/** The English word for either one. */
export const english = (word: string): string => (Object.hasOwn(ENGLISH, word) ? ENGLISH[word]! : word);

export interface ActionRule {
  readonly target: string;
  readonly basis: Basis;
  /** Names of actions, the first that is there is taken; a list of several is played one after another. */
  readonly actions: readonly (readonly string[])[];
}

/** Packs keep these names because the program itself asks for them. */
export const ACTION_RULES: readonly ActionRule[] = [
  { target: 'idle', basis: 'named', actions: [['Stand'], ['立つ']] },
  { target: 'move', basis: 'named', actions: [['Walk'], ['歩く'], ['Run'], ['走る'], ['Dash'], ['猛ダッシュ']] },
  {
    target: 'rest',
    basis: 'named',
    actions: [['Sit'], ['座る'], ['SitAndDangleLegs'], ['SitWithLegsDown'], ['足をぶらぶらさせる']],
  },
  {
    target: 'drag',
    basis: 'named',
    actions: [['Pinched'], ['つままれる'], ['Resisting'], ['抵抗する']],
  },
  { target: 'fall', basis: 'named', actions: [['Falling'], ['落ちる']] },
  {
    target: 'look',
    basis: 'named',
    actions: [['SitAndLookAtMouse'], ['座ってマウスを見上げる'], ['SitAndLookUp'], ['座って見上げる']],
  },
  { target: 'sleep', basis: 'guessed', actions: [['Sprawl'], ['寝そべる']] },
  {
    target: 'celebrate',
    basis: 'guessed',
    actions: [['Jumping', 'Bouncing'], ['ジャンプ', '跳ねる'], ['Jumping'], ['ジャンプ'], ['Bouncing'], ['跳ねる']],
  },
  { target: 'fail', basis: 'guessed', actions: [['Tripping'], ['転ぶ']] },
  { target: 'wait', basis: 'guessed', actions: [['SitAndDangleLegs'], ['足をぶらぶらさせる'], ['Sit'], ['座る']] },
  {
    target: 'think',
    basis: 'guessed',
    actions: [['SitAndLookUp'], ['座って見上げる'], ['SitAndLookAtMouse'], ['座ってマウスを見上げる']],
  },
];

/** Names of the file of actions, as packs and broken archivers write them. */
export const ACTION_FILES: readonly string[] = [
  'actions.xml',
  'action.xml',
  '動作.xml',
  '#U52d5#U4f5c.xml',
  'one.xml',
  '1.xml',
];
export const BEHAVIOUR_FILES = /^(behaviou?rs?|行動|Ultimate行動|#U884c#U52d5|two|2)\.xml$/i;
