/** Works out the little sums of eSheep files: numbers, `+ - * / %`, parentheses, a few known words; anything else is refused. */

/** What the words of such a sum stand for, where a figure has neither a screen nor luck: middle values. */
const VALUES: Readonly<Record<string, number>> = {
  screenw: 1_920,
  screenh: 1_080,
  areaw: 1_920,
  areah: 1_040,
  imagex: 0,
  imagey: 0,
  random: 50,
  rands: 50,
  scale: 1,
};
const MAX_LENGTH = 512;
const MAX_DEPTH = 32;
const TOKEN = /\s*(?:(\d+(?:\.\d+)?|\.\d+)|([A-Za-z][A-Za-z0-9.]*)|([-+*/%(),]))/y;

function tokensOf(text: string): readonly string[] | null {
  const tokens: string[] = [];
  const end = text.trimEnd().length;
  if (end > MAX_LENGTH) return null;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const [, number, word, sign] = TOKEN.exec(text) ?? [];
    const token = number ?? word ?? sign;
    if (token === undefined) return null;
    tokens.push(token);
  }
  return tokens;
}

/**
 * The value of `text`, or null when it is no such sum or has no finite value. `words` gives further values by lower-case word
 * (`imagew`, `imageh`). Never evaluates code.
 */
export function workOut(text: string, words: Readonly<Record<string, number>> = {}): number | null {
  const tokens = tokensOf(text) ?? [];
  if (tokens.length === 0) return null;
  let at = 0;
  let depth = 0;
  const take = (token: string): boolean => {
    if (tokens[at] !== token) return false;
    at += 1;
    return true;
  };
  /** `Convert(sum, System.Int32)`: a whole number. */
  function converted(): number {
    if (!take('(')) return Number.NaN;
    const value = sum();
    if (!take(',') || !/^system\.int(16|32|64)$/i.test(tokens[at++] ?? '') || !take(')')) return Number.NaN;
    return Math.round(value);
  }
  function atom(): number {
    depth += 1;
    if (depth > MAX_DEPTH) return Number.NaN;
    const value = insideAtom();
    depth -= 1;
    return value;
  }
  function insideAtom(): number {
    if (take('-')) return -atom();
    if (take('+')) return atom();
    if (take('(')) {
      const value = sum();
      return take(')') ? value : Number.NaN;
    }
    const token = tokens[at++] ?? '';
    if (/^[\d.]/.test(token)) return Number(token);
    const word = token.toLowerCase();
    if (word === 'convert') return converted();
    const known = Object.hasOwn(words, word) ? words[word] : Object.hasOwn(VALUES, word) ? VALUES[word] : undefined;
    return known ?? Number.NaN;
  }
  function product(): number {
    let value = atom();
    for (;;) {
      if (take('*')) value *= atom();
      else if (take('/')) value /= atom();
      else if (take('%')) value %= atom();
      else return value;
    }
  }
  function sum(): number {
    let value = product();
    for (;;) {
      if (take('+')) value += product();
      else if (take('-')) value -= product();
      else return value;
    }
  }
  const value = sum();
  return at === tokens.length && Number.isFinite(value) ? value : null;
}
