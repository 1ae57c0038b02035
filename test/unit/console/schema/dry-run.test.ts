import { ApiError, type ServedKind, type Transport } from 'kindforge/client';
import { describe, expect, it } from 'vitest';
import { dryRun } from '../../../../packages/console/src/schema/dry-run.js';

const kind: ServedKind = {
  ...{
    group: 'toys.example.com',
    version: 'v1',
    plural: 'robots',
    kind: 'Robot',
    scope: 'Namespaced',
    singular: 'robot',
  },
  ...{ subresources: [], verbs: ['create'], shortNames: [], categories: [], isPreferred: true },
};
const robot = { apiVersion: 'toys.example.com/v1', kind: 'Robot', metadata: { name: 'a', namespace: 'shop' } };

/** Makes a session with a server that gives one answer, and keeps the requests. */
function session(status: number, body: object, warning = '', may = true) {
  const requests: string[] = [];
  const asked: object[] = [];
  const transport: Transport = {
    async send({ method, path }) {
      requests.push(`${method} ${path}`);
      return {
        status,
        header: (name) => (name.toLowerCase() === 'warning' ? warning : ''),
        text: async () => JSON.stringify(body),
        async *chunks() {
          yield Buffer.from(JSON.stringify(body));
        },
      };
    },
  };
  const rights = {
    may: async (action: object) => {
      asked.push(action);
      return may;
    },
  };
  return { session: { options: { transport }, rights }, requests, asked };
}

const refusal = (reason: string, more = {}) => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  reason,
  message: reason,
  ...more,
});

describe('dryRun', () => {
  it('creates or updates without storing, and refuses unknown fields', async () => {
    const { session: one, requests } = session(200, robot);
    expect(await dryRun(one, kind, robot, 'create')).toEqual({ stored: robot, problems: [] });
    await dryRun(one, kind, robot, 'edit');
    expect(requests.map((line) => line.replace('/apis/toys.example.com/v1/namespaces/shop', ''))).toEqual([
      'POST /robots?fieldValidation=Strict&dryRun=All',
      'PUT /robots/a?fieldValidation=Strict&dryRun=All',
    ]);
  });

  it('sends nothing if the user has no right to it', async () => {
    const { session: one, requests, asked } = session(200, robot, '', false);
    expect(await dryRun(one, kind, robot, 'edit')).toBeUndefined();
    expect(requests).toEqual([]);
    expect(asked).toEqual([{ verb: 'update', group: kind.group, resource: 'robots', namespace: 'shop', name: 'a' }]);
  });

  it("returns the server's errors at their fields, and a taken name at the name", async () => {
    const causes = [{ field: 'spec.size', message: 'too large' }];
    const invalid = session(422, refusal('Invalid', { details: { causes } }));
    expect((await dryRun(invalid.session, kind, robot, 'create'))?.problems).toEqual([
      { path: 'spec.size', message: 'too large' },
    ]);
    const taken = session(409, refusal('AlreadyExists'));
    expect((await dryRun(taken.session, kind, robot, 'create'))?.problems).toEqual([
      { path: 'metadata.name', message: 'AlreadyExists' },
    ]);
  });

  it('returns warnings beside the object', async () => {
    const { session: one } = session(200, robot, '299 - "unknown field \\"spec.sise\\""');
    expect((await dryRun(one, kind, robot, 'create'))?.problems).toEqual([
      { path: 'spec.sise', message: 'unknown field', severity: 'warning' },
    ]);
  });

  it('throws errors that are not about the object', async () => {
    await expect(dryRun(session(409, refusal('Conflict')).session, kind, robot, 'edit')).rejects.toThrow(ApiError);
    await expect(dryRun(session(401, refusal('Unauthorized')).session, kind, robot, 'edit')).rejects.toThrow(ApiError);
  });
});
