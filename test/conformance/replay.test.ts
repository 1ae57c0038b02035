/**
 * Compares the server with recorded exchanges. `known-differences.json` lists the known differences and may only become
 * shorter: a new difference fails, and so does a listed difference that is gone. `UPDATE_KNOWN=1` writes the list
 * again. `superseded.json` lists the exchanges for which the specification counts and not the recording, each with its
 * reason.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startPeer, startReference } from '../support/reference-server.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { hasShared, root } from '../support/shared.js';
import { type Replayed, replay } from './replay.js';

const areas = [
  'resources',
  'metadata',
  'list',
  'watch',
  'patch',
  'apply',
  'random',
  'content',
  'versions',
  'policy',
  'crd',
  'cel',
  'authz',
  'authn',
  'webhook',
  'admission',
];

/** The area that needs files about authentication and authorization, and the peer in these files. */
const configured = 'config-new';

/** The recorded areas of release 1.36. A server that emulates that release plays them. */
const currentAreas = [
  ...['resources', 'metadata', 'list', 'watch', 'watch-new', 'patch', 'apply', 'content', 'versions', 'server-new'],
  ...[
    'policy',
    'policy-new',
    'crd',
    'crd-new',
    'cel',
    'cel-new',
    'authz',
    'authz-new',
    'authn',
    'webhook',
    'admission',
    configured,
  ],
];

const superseded: Record<string, Record<string, string>> = JSON.parse(
  readFileSync(join(root, 'test/conformance/superseded.json'), 'utf8'),
);

/** The area that counts requests by the second. It runs alone, and without the words of messages. */
const timed = 'plugins';

/** A list of known differences, by area. */
interface Known {
  readonly file: string;
  readonly areas: Record<string, string[]>;
}

const readKnown = (name: string): Known => {
  const file = join(root, 'test/conformance', name);
  return { file, areas: JSON.parse(readFileSync(file, 'utf8')) };
};

const knownOfSpecified = readKnown('known-differences.json');
const knownOfCurrent = readKnown('known-differences-1.36.json');

const scratch = scratchFolder();

/** A replay takes as long as its pauses, so areas run at the same time, each on a server of its own. */
const patience = 800_000;

/** Plays an area against a server of its own. The server has further plugins if the area is about them. */
async function played(area: string, current: boolean): Promise<Replayed> {
  const peer = area === configured ? await startPeer(scratch) : undefined;
  const running = await startReference({ plugins: area === timed, current, ...(peer ? { peer } : {}) });
  const options = { words: area !== timed, ...(current ? { suites: 'suites-1.36' } : {}) };
  return replay(area, running.url, options).finally(running.stop).finally(peer?.stop);
}

/** Plays an area, and compares the differences with the list. */
async function compare(area: string, current: boolean): Promise<void> {
  const { file, areas: known } = current ? knownOfCurrent : knownOfSpecified;
  const { compared, differing: all } = await played(area, current);
  const differing = new Map(all);
  const passedOver = Object.keys(current ? {} : (superseded[area] ?? {}));
  expect(
    passedOver.filter((name) => !differing.delete(name)),
    'exchanges listed as superseded that agree: remove them',
  ).toEqual([]);
  console.info(`${area}: ${compared - differing.size} of ${compared} agree`);
  if (process.env.UPDATE_KNOWN) {
    known[area] = [...differing.keys()].sort();
    writeFileSync(file, `${JSON.stringify(known, null, 2)}\n`);
  }
  if (process.env.SHOW_DIFFERENCES) {
    for (const [name, lines] of differing) console.info(`${name}\n    ${lines.join('\n    ')}`);
  }
  const listed = known[area] ?? [];
  let fresh = [...differing].filter(([name]) => !listed.includes(name));
  if (fresh.length > 0) {
    // The server sorts field managers by the second of their write, so a scenario that runs into the next second may
    // differ once.
    const again = await played(area, current);
    fresh = fresh.filter(([name]) => again.differing.has(name));
  }
  expect(Object.fromEntries(fresh), 'exchanges that differ and are not listed').toEqual({});
  expect(
    listed.filter((name) => !differing.has(name)),
    'listed differences that are gone: take them off',
  ).toEqual([]);
  expect(compared).toBeGreaterThan(0);
}

describe.skipIf(!hasShared)('recorded exchanges (skipped if the recordings are not beside the checkout)', () => {
  it.concurrent.each(areas)('agrees with area %s except for the known differences', { timeout: patience }, (area) =>
    compare(area, false),
  );
  it.concurrent.each(currentAreas)(
    'agrees with area %s of 1.36 except for the known differences',
    { timeout: patience },
    (area) => compare(area, true),
  );
  it(`agrees with area ${timed} but for the known differences`, { timeout: patience }, () => compare(timed, false));
});
