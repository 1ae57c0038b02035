/** A built server starts without the functions of late kinds, and has them when it is asked for such a kind. */
import { afterEach, describe, expect, it } from 'vitest';
import { lateKindsFile } from '../../../../bin/launch/load-program.js';
import { startTelling, type TellingServer } from '../../../support/telling-server.js';

let server: TellingServer;
afterEach(() => server.end());

describe('a built server', () => {
  it('reads what late kinds do with their objects with the first request for one', { timeout: 60_000 }, async () => {
    server = await startTelling();
    const post = async (plural: string, object: object): Promise<{ readonly code: number; readonly text: string }> => {
      const response = await fetch(`${server.url}/api/v1/namespaces/default/${plural}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(object),
      });
      return { code: response.status, text: await response.text() };
    };
    expect((await post('configmaps', { metadata: { name: 'one' } })).code).toBe(201);
    expect(server.hasLoaded(lateKindsFile)).toBe(false);
    const spec = { containers: [{ name: 'main', image: 'web' }] };
    const created = await post('pods', { metadata: { name: 'one' }, spec });
    expect(created.code).toBe(201);
    // A default, which functions of the kind fill in.
    expect(JSON.parse(created.text).spec.restartPolicy).toBe('Always');
    const refused = await post('pods', {
      metadata: { name: 'two' },
      spec: { containers: [{ name: 'main', image: 1 }] },
    });
    expect(refused.code).toBe(400);
    expect(refused.text).toContain('Container.spec.containers.image');
    expect(server.hasLoaded(lateKindsFile)).toBe(true);
  });
});
