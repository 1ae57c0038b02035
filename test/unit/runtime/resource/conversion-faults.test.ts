/** Objects that cannot be converted to another version: refused before anything is read. */
import { describe, expect, it } from 'vitest';
import type { Entry, JsonObject } from '../../../../runtime/contract/index.js';
import { versionSource } from '../../../../runtime/resource/other-versions.js';
import { serveResource } from '../../../../runtime/resource/serve-resource.js';
import type { ServedResource } from '../../../../runtime/resource/served-resource.js';
import { conversionFailure, prepareToRead } from '../../../../runtime/resource/versions.js';
import { keepAnnotations } from '../../../../runtime/write/update.js';
import { changedModule, moduleOf } from '../../../support/modules.js';

const v2 = moduleOf('example.com', 'lamps', 'Lamp', { version: 'v2' });

/** Makes lamps with a `watts` field that v1 cannot hold above nine. */
function lamps() {
  let asked = 0;
  const old = changedModule(v2, {
    version: 'v1',
    storage: false,
    conversion: {
      toStored: () => {},
      fromStored: (object: JsonObject, _rename: unknown, report?: (place: string, problem: string) => void) => {
        asked++;
        if (Number(object.watts) > 9) report?.('watts', 'too bright');
      },
      mayFail: true,
      keeps: { own: ['platform.io/kept'], stored: ['platform.io/stored'] },
    },
  });
  const known = new Map<string, ServedResource>();
  const sibling = (apiVersion: string) => known.get(apiVersion);
  const family = [v2, old];
  const rename = (name: string): string => name.replace('platform.io', 'example.com');
  const stored = serveResource(v2, { sibling, family, rename });
  const resource = serveResource(old, { stored, sibling, family, rename });
  known.set('example.com/v2', stored).set('example.com/v1', resource);
  return { stored, resource, sibling, asked: () => asked };
}

const lamp = (name: string, watts: number) => ({
  kind: 'Lamp',
  apiVersion: 'example.com/v2',
  metadata: { name },
  watts,
});

const entryOf = (name: string, watts: number): Entry => ({
  key: `example.com/lamps/default/${name}`,
  revision: 5,
  bytes: Buffer.from(JSON.stringify(lamp(name, watts))),
  attributes: { labels: {}, fields: {} },
});

describe('entries that cannot be converted', () => {
  it('are refused in that version, and shown in the stored one', async () => {
    const { stored, resource } = lamps();
    const entries = [entryOf('dim', 3), entryOf('bright', 10)];
    expect(await prepareToRead(resource, entries)).toMatchObject({
      reason: 'Invalid',
      message: 'Lamp.example.com "bright" is invalid: watts: cannot be converted to example.com/v1: too bright',
    });
    expect(prepareToRead(stored, entries)).toBeUndefined();
    expect(prepareToRead(resource, entries.slice(0, 1))).toBeUndefined();
  });

  it('are checked once', () => {
    const { resource, asked } = lamps();
    const entries = [entryOf('a', 1), entryOf('b', 2)];
    for (let i = 0; i < 3; i++) expect(prepareToRead(resource, entries)).toBeUndefined();
    expect(asked()).toBe(2);
  });

  it('have no owners to compare in that version', () => {
    const { stored, resource, sibling } = lamps();
    expect(conversionFailure(stored, resource, lamp('a', 3))).toBeUndefined();
    const converted = versionSource('example.com', sibling).convert(lamp('a', 10), 'example.com/v2', 'example.com/v1');
    expect(converted).toMatchObject({ ok: false, failure: { reason: 'Invalid' } });
  });
});

describe('annotations that keep fields', () => {
  it.each([
    ['v1', 'example.com/kept'],
    ['v2', 'example.com/stored'],
  ])('stay in objects of %s that a client replaces without them', (version, key) => {
    const { stored, resource } = lamps();
    const of = version === 'v1' ? resource : stored;
    const current = { ...lamp('a', 1), metadata: { name: 'a', annotations: { [key]: 'x', other: 'y' } } };
    const next = { ...lamp('a', 2), metadata: { name: 'a', annotations: { mine: 'z' } } };
    keepAnnotations(of, next, current);
    expect(next.metadata.annotations).toEqual({ mine: 'z', [key]: 'x' });
    const said = { ...lamp('a', 2), metadata: { name: 'a', annotations: { [key]: 'new' } } };
    keepAnnotations(of, said, current);
    expect(said.metadata.annotations).toEqual({ [key]: 'new' });
  });
});
