import { describe, expect, it } from 'vitest';
import { dynamicClient, UnknownKindError } from '../../../../client/index.js';
import { answering, resourceListOf } from '../../../support/answering-transport.js';

const group = 'toys.example.com';
const robot = {
  type: 'object',
  properties: { spec: { $ref: '#/components/schemas/Spec' } },
  'x-kubernetes-group-version-kind': [{ group, version: 'v1', kind: 'robots' }],
};
const document = {
  components: { schemas: { Robot: robot, Spec: { type: 'object', description: 'What it is to be.' } } },
};

/** Makes a server with one kind, and records the requested paths. */
function serving(index: object | undefined, asked: string[] = []): ReturnType<typeof dynamicClient> {
  const answers: Readonly<Record<string, object | undefined>> = {
    '/apis': { groups: [{ name: group, versions: [{ version: 'v1' }], preferredVersion: { version: 'v1' } }] },
    [`/apis/${group}/v1`]: resourceListOf(`${group}/v1`, 'robots'),
    '/openapi/v3': index,
    '/openapi/v3/toys': document,
  };
  const transport = answering((path) => {
    asked.push(path);
    return answers[path];
  });
  return dynamicClient({ transport });
}

describe('schema', () => {
  it('returns the schema of a kind with the schemas that its references name', async () => {
    const client = serving({ paths: { [`apis/${group}/v1`]: { serverRelativeURL: '/openapi/v3/toys' } } });
    const found = await client.schema({ group, version: 'v1', plural: 'robots' });
    expect(found?.schema).toEqual(robot);
    expect(found?.schemas.Spec?.description).toBe('What it is to be.');
  });

  it('requests the document of a version once', async () => {
    const asked: string[] = [];
    const client = serving({ paths: { [`apis/${group}/v1`]: { serverRelativeURL: '/openapi/v3/toys' } } }, asked);
    await client.schema('robots');
    await client.schema('robots');
    expect(asked.filter((path) => path.startsWith('/openapi'))).toEqual(['/openapi/v3', '/openapi/v3/toys']);
  });

  it('returns nothing for a server without documents, and refuses a kind that the server does not have', async () => {
    expect(await serving(undefined).schema('robots')).toBeUndefined();
    expect(await serving({ paths: {} }).schema('robots')).toBeUndefined();
    await expect(serving(undefined).schema('cars')).rejects.toThrow(UnknownKindError);
  });
});
