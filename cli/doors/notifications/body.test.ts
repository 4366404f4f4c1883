import { describe, expect, it } from 'vitest';
import { plainBody } from './body.ts';

describe('plainBody', () => {
  it.each([
    ['plain', 'plain'],
    ['<b>bold</b> and <i>slanted</i>, <u>under</u>', 'bold and slanted, under'],
    ['see <a href="https://example.org/?a=1&amp;b=2">the page</a>', 'see the page'],
    ['<img src="/x.png" alt="a cat"/> sat', 'a cat sat'],
    [`<img alt='' src="/x.png">sat`, 'sat'],
    ['one<br>two<br/>three', 'one\ntwo\nthree'],
    ['<p>one</p>two', 'one\ntwo'],
    ['Tom &amp; Jerry &lt;3 &quot;&apos;&#39;&#x27;', `Tom & Jerry <3 "'''`],
    ['&amp;lt;b&amp;gt;', '&lt;b&gt;'],
    ['&lt;b&gt;not bold&lt;/b&gt;', '<b>not bold</b>'],
    ['a < b and c > d', 'a < b and c > d'],
    ['AT&T &unknown; &#99999999; &#1114112;', 'AT&T &unknown; &#99999999; &#1114112;'],
    ['<script>x</script> <bold> <i', '<script>x</script> <bold> <i'],
    ['<B CLASS="x">B</B>', 'B'],
  ])('%j is %j', (body, text) => {
    expect(plainBody(body)).toBe(text);
  });

  it('looks at no more than can be shown, at once', () => {
    const before = performance.now();
    expect(plainBody('<b '.repeat(2_000_000)).length).toBeLessThanOrEqual(20_000);
    expect(plainBody(`<img alt="${'&'.repeat(19_000)}`).length).toBeLessThanOrEqual(20_000);
    expect(performance.now() - before).toBeLessThan(1_000);
  });
});
