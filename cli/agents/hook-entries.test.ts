import { describe, expect, it } from 'vitest';
import type { Edited } from '../settings/edit/edit.ts';
import * as code from '../settings/entry.ts';
import { HOOK_AGENTS } from './hook-agents.ts';
import { findOurs, hookCommand, hooksIn, programIn, stateOfHooks } from './hook-entries.ts';

/** Is there wherever Node is, so that its command counts as one that exists. */
const PROGRAM = process.execPath.replace(/[^/]*$/, 'companion-fast');
const AGENT = HOOK_AGENTS['claude-code'];
const textOf = (edited: Edited): string => {
  if ('fault' in edited) throw new Error(edited.fault);
  return edited.text;
};
const ours = hooksIn('claude-code', AGENT, PROGRAM, code);
const data = (text: string): unknown => JSON.parse(text.replace(/^\uFEFF/, ''));

const OTHERS = `{
  // mine
  "hooks": {
    "Stop": [
      { "hooks": [{ "type": "command", "command": "say done" }] } // loud
    ],
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "check hook claude-code" }] },
    ],
  },
}
`;

describe('our entries', () => {
  it.each(['', '{}', OTHERS, '\uFEFF{"hooks":{}}', '{"hooks":{"Stop":[]}}'])(
    'come and go without a trace: %j',
    (before) => {
      const after = textOf(ours.put(before));
      const read = code.readJson(after);
      if ('fault' in read) throw new Error(read.fault);
      expect(new Set(findOurs(read.value, 'claude-code').map(({ event }) => event))).toEqual(
        new Set(Object.keys(AGENT.events)),
      );
      expect(textOf(ours.put(after))).toBe(after);
      const left = textOf(ours.remove(after, before));
      if (before === OTHERS) expect(left).toBe(before);
      else expect(findOurs(data(left), 'claude-code')).toEqual([]);
    },
  );

  it.each(['{"hooks":{"Stop":[]},"a":1}', '{"a":1,"hooks":{"Stop":[],"PreToolUse":[ ]}}'])(
    'leave the lists of events that were empty before, whatever else has changed: %j',
    (before) => {
      const after = textOf(ours.put(before)).replace('"a":1', '"a":2');
      expect(data(textOf(ours.remove(after, before)))).toEqual(data(before.replace('"a":1', '"a":2')));
    },
  );

  it('stand beside those of others, and beside those of the other agent', () => {
    const codex = hooksIn('codex', HOOK_AGENTS.codex, PROGRAM, code);
    const both = textOf(codex.put(textOf(ours.put(OTHERS))));
    expect(textOf(codex.remove(both, OTHERS))).toBe(textOf(ours.put(OTHERS)));
  });

  it('in a group with somebody else’s hook go alone', () => {
    const mixed = JSON.stringify({
      hooks: {
        Stop: [
          {
            hooks: [
              { type: 'command', command: 'x' },
              { type: 'command', command: hookCommand(PROGRAM, 'claude-code') },
            ],
          },
        ],
      },
    });
    expect(data(textOf(ours.remove(mixed, null)))).toEqual({
      hooks: { Stop: [{ hooks: [{ type: 'command', command: 'x' }] }] },
    });
  });

  it.each(['{"hooks": []}', '{"hooks": {"Stop": "x"}}', '{', '[]', '{"hooks": null}'])(
    'are not put into %s',
    (text) => {
      expect(ours.put(text)).toHaveProperty('fault');
    },
  );

  it.each([
    ['/a/companion-fast hook claude-code', '/a/companion-fast'],
    [`'/a b/it'\\''s/companion-fast' hook claude-code`, "/a b/it's/companion-fast"],
    ['companion hook claude-code', 'companion'],
    ['companion hook codex', null],
    ['my-companion hook claude-code', null],
    ['echo companion hook claude-code', null],
    [5, null],
  ])('are known by their command: %s', (command, program) => {
    expect(programIn(command, 'claude-code')).toBe(program);
  });

  it('start what has a space in its path', () => {
    const command = hookCommand("/a b/it's/companion-fast", 'codex');
    expect(programIn(command, 'codex')).toBe("/a b/it's/companion-fast");
  });
});

describe('how they stand', () => {
  const stand = (text: string, program = 'companion-fast') =>
    stateOfHooks(code.readJson(text), 'claude-code', AGENT, program);
  const full = textOf(hooksIn('claude-code', AGENT, 'companion-fast', code).put('{}'));

  it.each([
    ['{}', 'not-installed'],
    [OTHERS, 'not-installed'],
    [full, 'installed'],
    [full.replace('"timeout": 600', '"timeout": 60'), 'changed-by-hand'],
    [full.replace('"matcher": "permission_prompt"', '"matcher": "*"'), 'changed-by-hand'],
    [full.replaceAll('companion-fast', '/nowhere/companion-fast'), 'command-gone'],
    [full.replaceAll('companion-fast', 'companion'), 'other-installation'],
    [textOf(code.removeJson(full, ['hooks', 'Stop'])), 'partly'],
    ['{', 'unreadable'],
  ])('%#', (text, state) => {
    expect(stand(text).state).toBe(state);
  });

  it('names what is missing', () => {
    expect(stand(textOf(code.removeJson(full, ['hooks', 'Stop']))).missing).toEqual(['Stop']);
  });
});
