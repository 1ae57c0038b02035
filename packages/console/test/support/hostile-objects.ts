/** Objects with hostile texts in every field that a server accepts and a page shows. */
import { type DynamicApi, type DynamicObject, isBadRequest, isInvalid } from '../../../../client/index.js';
import { hostileTexts } from './hostile-texts.js';

const group = 'hostile.example.com';
const inDefault = (name: string) => ({ name, namespace: 'default' });
const byIndex = (): Record<string, string> => Object.fromEntries(hostileTexts.map((text, i) => [`t${i}`, text]));

/** Returns a definition with a column, a field and a rule for each text. */
const definition = (apiVersion: string): DynamicObject => ({
  apiVersion,
  kind: 'CustomResourceDefinition',
  metadata: { name: `things.${group}`, annotations: byIndex() },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'things', singular: 'thing', kind: 'Thing', shortNames: ['null'], categories: ['undefined'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        additionalPrinterColumns: [...hostileTexts, hostileTexts[0]].map((text, i) => ({
          ...{ name: text, type: 'string', description: text },
          jsonPath: `.spec.notes.t${i}`,
        })),
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  notes: { type: 'object', additionalProperties: { type: 'string' } },
                  ...Object.fromEntries(hostileTexts.map((text) => [text, fieldOf(text)])),
                },
              },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
      {
        ...{ name: 'v1alpha1', served: true, storage: false, deprecated: true, deprecationWarning: hostileTexts[0] },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
});

const fieldOf = (text: string): object => ({
  ...{ type: 'string', title: text, description: text, enum: hostileTexts, default: text, example: text },
  'x-kubernetes-validations': [{ rule: 'self != "never"', message: text.replaceAll('\n', ' ') }],
});

const thing: DynamicObject = {
  apiVersion: `${group}/v1`,
  kind: 'Thing',
  metadata: {
    ...inDefault('thing'),
    labels: { constructor: 'null', toString: 'undefined' },
    annotations: byIndex(),
    ownerReferences: hostileTexts.map((name, i) => ({ apiVersion: `${group}/v1`, kind: 'Thing', name, uid: `u${i}` })),
  },
  spec: { notes: { ...byIndex(), ...Object.fromEntries(hostileTexts.map((text) => [text, text])) } },
  status: {
    phase: hostileTexts[0],
    conditions: hostileTexts.map((text) => ({
      ...{ type: text, status: 'True', reason: text, message: text },
      lastTransitionTime: '2026-01-01T00:00:00Z',
    })),
  },
};

const eventOf = (text: string, i: number): DynamicObject => ({
  ...{ apiVersion: 'v1', kind: 'Event', metadata: inDefault(`event-${i}`) },
  ...{
    reason: text,
    message: text,
    type: 'Normal',
    source: { component: text },
    lastTimestamp: new Date().toISOString(),
  },
  involvedObject: { apiVersion: `${group}/v1`, kind: 'Thing', ...inDefault('thing') },
});

/** Returns a role with the name, and a binding that gives it to a user and a group with the name. */
function rightsOf(name: string, rbac: string): readonly DynamicObject[] {
  const api = { apiVersion: `${rbac}/v1` };
  const subject = { apiGroup: rbac, name };
  return [
    {
      ...{ ...api, kind: 'Role', metadata: inDefault(name) },
      rules: [{ apiGroups: [''], resources: ['secrets', name], resourceNames: [name], verbs: ['get', name] }],
    },
    {
      ...{ ...api, kind: 'RoleBinding', metadata: inDefault(name) },
      roleRef: { apiGroup: rbac, kind: 'Role', name },
      subjects: [
        { ...subject, kind: 'User' },
        { ...subject, kind: 'Group' },
      ],
    },
  ];
}

/** The texts that the server has accepted, by their places. */
export interface Taken {
  readonly roles: readonly string[];
  readonly managers: readonly string[];
}

/** Creates all of them. */
export async function createHostileObjects(client: DynamicApi): Promise<Taken> {
  const definer = await client.kind('customresourcedefinitions');
  const rbac = (await client.kind('roles')).group;
  await client.create(definition(`${definer.group}/v1`));
  await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'hostile', annotations: byIndex() } });
  await Promise.all(hostileTexts.map((text, i) => client.create(eventOf(text, i))));
  const roles = await taken((text) => Promise.all(rightsOf(text, rbac).map((object) => client.create(object))));
  client.forget();
  await client.create(thing);
  const { labels: _, annotations: __, ownerReferences: ___, ...metadata } = thing.metadata;
  const managers = await taken((text, i) =>
    client.apply({ ...thing, metadata, spec: { notes: { [`m${i}`]: 'x' } }, status: {} }, { fieldManager: text }),
  );
  return { roles, managers };
}

/**
 * Resolves to the texts that the server does not refuse. Tries one after the other, because they may write the same
 * object.
 */
async function taken(write: (text: string, i: number) => Promise<unknown>): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [i, text] of hostileTexts.entries()) {
    try {
      await write(text, i);
      found.push(text);
    } catch (error) {
      if (!isInvalid(error) && !isBadRequest(error)) throw error;
    }
  }
  return found;
}
