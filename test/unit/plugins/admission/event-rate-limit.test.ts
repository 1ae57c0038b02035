import { describe, expect, it } from 'vitest';
import { defineEventRateLimit } from '../../../../plugins/index.js';
import type { AdmissionAttributes, JsonObject } from '../../../../runtime/contract/index.js';
import { readAdmissionFile } from '../../../../server/parts/admission-file.js';
import { hostOf } from '../../../support/admission-host.js';
import { runPlugin } from '../../../support/admission-suite.js';
import { moduleOf } from '../../../support/modules.js';
import { configMaps, contextWith, object, write } from './attributes.js';

const events = moduleOf('', 'events', 'Event');

interface Limited {
  /** Writes an event, and returns the message of a refusal. */
  readonly send: (more?: Partial<AdmissionAttributes>) => Promise<string | undefined>;
  readonly pass: (milliseconds: number) => void;
}

function limited(...limits: JsonObject[]): Limited {
  let time = 0;
  const plugin = defineEventRateLimit(() => time);
  plugin.start?.(hostOf([]), { limits });
  return {
    async send(more) {
      const failure = await runPlugin(plugin, write({ resource: events, object: object(), ...more }), contextWith({}));
      if (failure) expect(failure).toEqual({ reason: 'TooManyRequests', message: failure.message });
      return failure?.message;
    },
    pass(milliseconds) {
      time += milliseconds;
    },
  };
}

const by = (name: string) => ({ user: { name, uid: '', groups: [], extra: {} } });
const of = (component: string, name: string) => ({
  object: object({
    source: { component, host: 'h' },
    involvedObject: { kind: 'Pod', namespace: 'n', name, uid: 'u', apiVersion: 'v1' },
  }),
});
const reached = (type: string, key: string) => `Too many requests: limit reached on type ${type} for key ${key}`;

describe('a limit', () => {
  it.each<[string, Partial<AdmissionAttributes>, Partial<AdmissionAttributes>, string]>([
    ['Namespace', { namespace: 'a' }, { namespace: 'b' }, 'a'],
    ['User', by('x'), by('y'), 'x'],
    ['SourceAndObject', of('c', 'p'), of('c', 'q'), 'chPodnpuv1'],
    ['SourceAndObject', of('c', 'p'), of('d', 'p'), 'chPodnpuv1'],
  ])('of type %s counts each separately', async (type, one, other, key) => {
    const { send } = limited({ type, qps: 1, burst: 2, cacheSize: 0 });
    expect([await send(one), await send(one)]).toEqual([undefined, undefined]);
    expect(await send(one)).toBe(reached(type, key));
    expect(await send(other)).toBeUndefined();
  });

  it('of type Server counts all together', async () => {
    const { send } = limited({ type: 'Server', qps: 1, burst: 2, cacheSize: 0 });
    expect([await send(by('x')), await send({ namespace: 'b' })]).toEqual([undefined, undefined]);
    expect(await send(of('c', 'p'))).toBe(reached('Server', ''));
  });

  it('accepts more as time passes', async () => {
    const { send, pass } = limited({ type: 'Server', qps: 2, burst: 1, cacheSize: 0 });
    expect(await send()).toBeUndefined();
    pass(499);
    expect(await send()).toBeDefined();
    pass(1);
    expect(await send()).toBeUndefined();
  });

  it('forgets the least recently used key if there are too many', async () => {
    const { send } = limited({ type: 'User', qps: 1, burst: 1, cacheSize: 2 });
    for (const name of ['x', 'y']) expect(await send(by(name))).toBeUndefined();
    expect(await send(by('x'))).toBe(reached('User', 'x'));
    expect(await send(by('z'))).toBeUndefined();
    expect(await send(by('x'))).toBe(reached('User', 'x'));
    expect(await send(by('y'))).toBeUndefined();
  });

  it('counts in every limit, and reports all that are reached', async () => {
    const { send } = limited(
      { type: 'Namespace', qps: 1, burst: 1, cacheSize: 0 },
      { type: 'User', qps: 1, burst: 2, cacheSize: 0 },
    );
    expect([await send(), await send()]).toEqual([undefined, reached('Namespace', 'team')]);
    expect(await send()).toBe(
      'Too many requests: [limit reached on type Namespace for key team, limit reached on type User for key someone]',
    );
  });
});

describe('counted events', () => {
  it('are creates and updates of events of the first group', () => {
    const plugin = defineEventRateLimit();
    expect(plugin.handles(events, 'CREATE', '')).toBe(true);
    expect(plugin.handles(events, 'UPDATE', '')).toBe(true);
    expect(plugin.handles(events, 'DELETE', '')).toBe(false);
    expect(plugin.handles(configMaps, 'CREATE', '')).toBe(false);
    expect(plugin.handles(moduleOf('events.k8s.io', 'events', 'Event'), 'CREATE', '')).toBe(false);
  });

  it('exclude dry runs', async () => {
    const { send } = limited({ type: 'Server', qps: 1, burst: 1, cacheSize: 0 });
    for (let i = 0; i < 3; i++) expect(await send({ dryRun: true })).toBeUndefined();
    expect(await send()).toBeUndefined();
    expect(await send()).toBeDefined();
    expect(await send({ dryRun: true })).toBeUndefined();
  });
});

describe('its configuration', () => {
  const { configuration } = defineEventRateLimit();
  const problems = (value: unknown): string[] => {
    const told: string[] = [];
    configuration?.check(value, (path, problem) => void told.push(`${path.join('.')}: ${problem}`));
    return told;
  };
  const limit = { type: 'User', qps: 1, burst: 1 };

  it('is required, and names limits', () => {
    expect(configuration?.required).toBe(true);
    expect(problems({ limits: [limit, { ...limit, cacheSize: 7 }] })).toEqual([]);
  });

  it('has an example', () => {
    const read = readAdmissionFile('examples/admission/limited-events.yaml', [defineEventRateLimit()]);
    expect(read).toMatchObject({ ok: true });
    expect(read.ok && read.configurations.has('EventRateLimit')).toBe(true);
  });

  it.each<[unknown, string]>([
    [{}, 'limits: must not be empty'],
    [{ limits: [] }, 'limits: must not be empty'],
    [{ limits: [{ ...limit, type: 'Users' }] }, 'limits.0.type: "Users" is unknown; did you mean `User`?'],
    [{ limits: [{ ...limit, qps: 0 }] }, 'limits.0.qps: 0 is less than 1'],
    [{ limits: [{ ...limit, burst: -1 }] }, 'limits.0.burst: -1 is less than 1'],
    [{ limits: [{ ...limit, cacheSize: -1 }] }, 'limits.0.cacheSize: -1 is less than 0'],
    [{ limits: [{ ...limit, cacheSize: 2e6 }] }, 'limits.0.cacheSize: 2000000 is more than 1000000'],
    [{ limits: [{ type: 'User', qps: 1 }] }, 'limits.0.burst: missing; give a whole number'],
    [{ limits: [limit], limit: 1 }, 'limit: unknown field; did you mean `limits`?'],
  ])('%j is refused', (value, problem) => expect(problems(value)).toEqual([problem]));
});
