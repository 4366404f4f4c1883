import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { Snapshot } from '../../../server/protocol/snapshot.ts';
import { REASONS, STATUSES } from '../../../server/protocol/status.ts';
import { CAPABILITIES } from '../../../server/registry/catalog.ts';
import { emitMcpTools } from '../../../server/registry/emit/mcp-tools.ts';
import { snapshot } from '../../client/fake-host.ts';
import { actionOf, reportOf, toResult } from './report.ts';

const question = (fields: Partial<Snapshot>): Snapshot =>
  snapshot({ capability: 'interaction.choose', resolvedCapability: 'interaction.choose', ...fields });

describe('how a question ended', () => {
  it.each([
    ['queued', null, 'still_open'],
    ['running', null, 'still_open'],
    ['awaiting_user', null, 'still_open'],
    ['completed', 'user_answered', 'accept'],
    ['cancelled', 'user_declined', 'decline'],
    ['cancelled', 'user_dismissed', 'cancel'],
    ['cancelled', 'hidden', 'cancel'],
    ['cancelled', 'paused', 'cancel'],
    ['cancelled', 'client_cancelled', 'cancel'],
    ['expired', 'deadline', 'cancel'],
    ['failed', 'runtime_restarted', 'cancel'],
  ] as const)('%s, %s is %s', (status, reason, action) => {
    expect(actionOf(question({ status, reason }))).toBe(action);
  });

  it('is never accept without an answer of the user', () => {
    for (const status of STATUSES.filter((each) => each !== 'completed')) {
      for (const reason of Object.keys(REASONS) as (keyof typeof REASONS)[])
        expect(actionOf(question({ status, reason }))).not.toBe('accept');
    }
  });

  it('is nothing for what asks nothing', () => {
    for (const capability of ['notice.show', 'progress.show', 'animation.greet', 'vendor.org.example.dance'])
      expect(actionOf(snapshot({ capability, status: 'completed' }))).toBeNull();
  });
});

describe('what to do next', () => {
  it('is to wait for an open question, with the very call', () => {
    const { next } = reportOf(question({ requestId: 'r7', revision: 3, status: 'awaiting_user' }));
    expect(next).toContain('requests_wait {"requestId":"r7","afterRevision":3,"waitMs":45000}');
    expect(next).toContain('Do not ask again');
  });

  it('is to report for a progress card, and nothing once it has ended', () => {
    const card = snapshot({ capability: 'progress.show', status: 'running', revision: 2 });
    expect(reportOf(card).next).toContain('requests_update {"requestId":"r1","expectedRevision":2,');
    expect(reportOf({ ...card, status: 'completed' }).next).toBeNull();
    expect(reportOf(snapshot()).next).toBeNull();
  });
});

describe('a result', () => {
  const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true } });
  it.each(CAPABILITIES.map((capability) => [capability.id, capability] as const))(
    'of %s is as its schema says',
    (id, capability) => {
      const tool = emitMcpTools().find(({ target }) =>
        'capability' in target
          ? target.capability === id
          : 'capabilities' in target && target.capabilities.includes(id),
      )!;
      const validate = ajv.compile(tool.outputSchema);
      for (const status of STATUSES) {
        const answers = status === 'completed' ? capability.examples.results.valid : [null];
        for (const result of answers) {
          const { structuredContent, content } = toResult(snapshot({ capability: id, status, result }));
          expect(validate(structuredContent), JSON.stringify(validate.errors)).toBe(true);
          expect(JSON.parse((content[0] as { text: string }).text)).toEqual(structuredContent);
        }
      }
    },
  );
});
