/** Row 6: what it costs to turn a presented key into an Actor, beside the bare digest. */
import { randomBytes } from 'node:crypto';
import sodium from 'sodium-native';
import { createKeyring } from '../../server/auth/keyring.ts';
import { makeKey } from '../../server/auth/keys.ts';
import type { ClientId } from '../../server/protocol/ids.ts';
import type { Bench, Section } from './bench.ts';
import { type Figure, judge } from './figure.ts';
import { interleave } from './stats.ts';

const CLIENTS = 100;
const CHECKS = 20_000;
/** 2 us on the machine the goal was set on, where the bare digest took 0.75. */
const RATIO = 2.7;

/** Microseconds of one of `CHECKS` calls. */
async function costOf(check: () => unknown): Promise<number> {
  const startedAt = performance.now();
  for (let turn = 0; turn < CHECKS; turn += 1) check();
  return ((performance.now() - startedAt) * 1000) / CHECKS;
}

async function measure({ quick }: Bench): Promise<Figure[]> {
  const secret = randomBytes(32);
  const clients = Array.from({ length: CLIENTS }, (_, index) => {
    const { key, verifier } = makeKey(secret);
    const clientId = `cli_bench${index}` as ClientId;
    return { key, record: { clientId, name: `${index}`, scopes: [], verifier, createdAt: index, lastUsedAt: null } };
  });
  const keyring = createKeyring(
    clients.map(({ record }) => record),
    secret,
  );
  const header = `Bearer ${clients[CLIENTS / 2]!.key}`;
  const key = Buffer.from(clients[0]!.key);
  const digest = Buffer.alloc(32);
  const known = Buffer.alloc(32);
  sodium.crypto_generichash(known, key, secret);
  const taken = await interleave(quick ? 5 : 15, {
    bare: () =>
      costOf(() => {
        sodium.crypto_generichash(digest, key, secret);
        return sodium.sodium_memcmp(digest, known);
      }),
    keyring: () => costOf(() => keyring.actorOf(header)),
  });
  const common = { row: 6, name: `key check, ${CLIENTS} clients`, unit: 'us', product: taken.keyring };
  return [
    judge({ ...common, floorName: 'keyed digest + memcmp', floor: taken.bare, goal: { ratioAtMost: RATIO } }),
    judge({ ...common, goal: { atMost: 2 } }),
  ];
}

export const keyCheck: Section = { rows: [6], measure };
