import { describe, expect, it } from 'vitest';
import { LineReader, MAX_LINE_BYTES, readControl } from './controls.ts';

describe('the reader of lines', () => {
  it('joins what was cut, letters too', () => {
    const reader = new LineReader();
    const bytes = Buffer.from('aé\nb\n');
    expect(reader.push(bytes.subarray(0, 2))).toEqual([]);
    expect(reader.push(bytes.subarray(2))).toEqual(['aé', 'b']);
    expect(reader.end()).toEqual([]);
  });

  it('gives what is left at the end', () => {
    const reader = new LineReader();
    reader.push(Buffer.from('a\nlast'));
    expect(reader.end()).toEqual(['last']);
    expect(reader.end()).toEqual([]);
  });

  it('drops a line that is too long, and goes on with the next', () => {
    const reader = new LineReader();
    const part = Buffer.alloc(MAX_LINE_BYTES / 2 + 1, 'x');
    expect([...reader.push(part), ...reader.push(part), ...reader.push(part)]).toEqual([]);
    expect(reader.push(Buffer.from('x\nnext\n'))).toEqual([null, 'next']);
  });

  it('takes a line that is just as long as it may be', () => {
    const line = 'x'.repeat(MAX_LINE_BYTES);
    expect(new LineReader().push(Buffer.from(`${line}\n`))).toEqual([line]);
  });
});

describe('a control line', () => {
  it.each([
    ['{"action":"cancel"}', { action: 'cancel' }],
    ['{"action":"pause","more":1}', { action: 'pause' }],
    ['{"action":"resume"}\r', { action: 'resume' }],
    ['{"action":"prompt-reply","id":"a","value":"b"}', { action: 'prompt-reply', id: 'a', value: 'b' }],
  ])('%s is understood', (line, control) => {
    expect(readControl(line)).toEqual({ control });
  });

  it('repeats an unknown action shortly and without control characters', () => {
    const line = JSON.stringify({ action: `\u001b[31m${'x'.repeat(200)}` });
    expect(readControl(line)).toEqual({ junk: `unknown stdin action: [31m${'x'.repeat(60)}` });
  });

  it('that was too long is told so', () => {
    expect(readControl(null)).toEqual({ junk: 'a stdin line of more than 65536 bytes was dropped' });
  });
});
