import { describe, expect, it, vi } from 'vitest';
import { ApplyConflictError } from '../../../client/conflicts.js';
import { ApiError } from '../../../client/errors.js';
import { createOrUpdate, modify } from '../../../client/modify.js';
import { retryOnConflict } from '../../../client/retry-on-conflict.js';
import type { ApiObjectLike, Status } from '../../../client/types.js';

const status = (reason: string): Status => ({ kind: 'Status', apiVersion: 'v1', metadata: {}, reason });
const refused = (code: number, reason: string): ApiError => new ApiError(code, status(reason));

interface Thing extends ApiObjectLike {
  spec: { size: number };
}

const thing = (name: string): Thing => ({ apiVersion: 'v1', kind: 'Thing', metadata: { name }, spec: { size: 1 } });

const clientWith = (stored?: Thing) => ({
  get: vi.fn(async (_name: string, _options?: object) => {
    if (stored === undefined) throw refused(404, 'NotFound');
    return stored;
  }),
  create: vi.fn(async (object: object) => ({ ...thing(''), ...object })),
  update: vi.fn(async (object: Thing) => object),
});

describe('retryOnConflict', () => {
  it.each(['Conflict', 'AlreadyExists'])('tries again after %s', async (reason) => {
    const attempt = vi.fn().mockRejectedValueOnce(refused(409, reason)).mockResolvedValue('done');
    expect(await retryOnConflict(attempt, { delayMs: 0 })).toBe('done');
  });

  it('does not try again for a field that another manager owns', async () => {
    const owned = new ApplyConflictError(409, status('Conflict'), [{ field: '.spec', manager: 'them' }]);
    const attempt = vi.fn().mockRejectedValue(owned);
    await expect(retryOnConflict(attempt, { delayMs: 0 })).rejects.toBe(owned);
    expect(attempt).toHaveBeenCalledOnce();
    expect(String(owned)).toMatch(/^ApplyConflictError: /);
  });
});

describe('createOrUpdate', () => {
  it('creates and updates under the given name', async () => {
    const empty = clientWith();
    await createOrUpdate(empty, 'door', () => ({ metadata: {}, spec: { size: 2 } }));
    expect(empty.create.mock.calls[0]?.[0]).toMatchObject({ metadata: { name: 'door' }, spec: { size: 2 } });
    const there = clientWith(thing('door'));
    await createOrUpdate(there, 'door', () => ({ metadata: { labels: { a: 'b' } }, spec: { size: 1 } }));
    expect(there.update.mock.calls[0]?.[0].metadata).toEqual({ name: 'door', labels: { a: 'b' } });
  });

  it('refuses an object of another name, and sends nothing', async () => {
    const client = clientWith();
    const other = createOrUpdate(client, 'door', () => ({ metadata: { name: 'gate' }, spec: { size: 2 } }));
    await expect(other).rejects.toThrow('"door" must be created or updated, and not "gate"');
    expect(client.create).not.toHaveBeenCalled();
  });
});

it('reads take no longer than the given limit', async () => {
  const options = { timeoutMs: 100, signal: new AbortController().signal };
  const client = clientWith(thing('door'));
  await modify(client, 'door', () => {}, { ...options, retries: 1 });
  await createOrUpdate(client, 'door', () => thing('door'), options);
  expect(client.get.mock.calls.map(([, given]) => given)).toEqual([options, options]);
});
