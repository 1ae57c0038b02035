/** Applying many manifests: their order, how many at once, and their outcomes. */
import { describe, expect, it } from 'vitest';
import { type ApplyAllOptions, applyAll, type ManifestRequests } from '../../../../client/dynamic/apply-all.js';
import type { DynamicObject } from '../../../../client/dynamic/types.js';
import type { ApplyOptions } from '../../../../client/resource/options.js';
import { rejection } from '../../../support/sdk.js';

const object = (kind: string, name: string): DynamicObject => ({ apiVersion: 'v1', kind, metadata: { name } });

/** A server that takes a turn of the event loop for each request, and records all events. */
class Server implements ManifestRequests {
  readonly log: string[] = [];
  readonly forced: string[] = [];
  most = 0;
  #open = 0;

  async apply(manifest: DynamicObject, { force }: ApplyOptions): Promise<DynamicObject> {
    const name = `${manifest.kind} ${manifest.metadata.name}`;
    this.log.push(`+${name}`);
    if (force) this.forced.push(name);
    this.most = Math.max(this.most, ++this.#open);
    await new Promise((resolve) => setTimeout(resolve, 1));
    this.#open--;
    this.log.push(`-${name}`);
    if (manifest.metadata.name === 'bad') throw new Error('no');
    return manifest;
  }

  delete = (): Promise<never> => Promise.reject(new Error('not asked'));
}

const options: ApplyAllOptions = { fieldManager: 'me', concurrency: 3 };

describe('applyAll', () => {
  it('applies up to the limit at once, and ends each rank before the next one', async () => {
    const server = new Server();
    const many = Array.from({ length: 7 }, (_, i) => object('Widget', `w${i}`));
    const results = await applyAll(server, [...many, object('Namespace', 'a'), object('Namespace', 'b')], options);
    expect(server.most).toBe(3);
    expect(server.log.slice(0, 4)).toEqual(['+Namespace a', '+Namespace b', '-Namespace a', '-Namespace b']);
    expect(results.map(({ manifest }) => manifest.metadata.name)).toEqual([
      'a',
      'b',
      'w0',
      'w1',
      'w2',
      'w3',
      'w4',
      'w5',
      'w6',
    ]);
  });

  it('applies one after another without that option, and manifests of one object in any case', async () => {
    const one = new Server();
    await applyAll(one, [object('Widget', 'a'), object('Widget', 'b')], { fieldManager: 'me' });
    expect(one.most).toBe(1);
    const same = new Server();
    await applyAll(same, [object('Widget', 'a'), object('Widget', 'a'), object('Widget', 'b')], options);
    expect(same.log.indexOf('-Widget a')).toBeLessThan(same.log.lastIndexOf('+Widget a'));
    expect(same.most).toBe(2);
  });

  it('continues after an error, and forces conflicts for manifests that ask for it', async () => {
    const server = new Server();
    const all = [object('Widget', 'bad'), object('Widget', 'good')];
    const forces = ({ metadata }: DynamicObject): boolean => metadata.name === 'good';
    const results = await applyAll(server, all, { ...options, concurrency: 1, forces });
    expect(results.map(({ error }) => error)).toEqual([new Error('no'), undefined]);
    expect(server.forced).toEqual(['Widget good']);
  });

  it('sends nothing more once it is aborted, and waits for the promise of `onResult`', async () => {
    const server = new Server();
    const ending = new AbortController();
    const all = Array.from({ length: 9 }, (_, i) => object('Widget', `w${i}`));
    const seen: string[] = [];
    const onResult = async ({ manifest }: { manifest: DynamicObject }): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, 2));
      seen.push(manifest.metadata.name ?? '');
      if (seen.length === 2) ending.abort(new Error('stop'));
    };
    const running = applyAll(server, all, { ...options, concurrency: 2, signal: ending.signal, onResult });
    expect(await rejection(running)).toEqual(new Error('stop'));
    expect(server.log.filter((line) => line.startsWith('+')).length).toBeLessThanOrEqual(4);
  });
});
