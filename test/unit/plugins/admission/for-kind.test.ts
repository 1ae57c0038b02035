import { describe, expect, it } from 'vitest';
import type { PriorityClass } from '../../../../generated/scheduling.platform.io/v1/priorityclasses/types.js';
import { forKind, objectsOf } from '../../../../plugins/kit.js';
import type {
  AdmissionAttributes,
  AdmissionContext,
  ApiObject,
  ResourceModule,
} from '../../../../runtime/contract/index.js';
import { badRequest } from '../../../../runtime/objects/status.js';
import { hostOf } from '../../../support/admission-host.js';
import { moduleOf } from '../../../support/modules.js';
import { configMaps, contextWith, object, write } from './attributes.js';

const about = { apiVersion: 'scheduling.platform.io/v1', kind: 'PriorityClass', operations: ['CREATE'] } as const;
const classes = (more: Partial<ResourceModule> = {}, group = 'scheduling.platform.io') =>
  moduleOf(group, 'priorityclasses', 'PriorityClass', { scope: 'Cluster', ...more });
const priorityClass = (apiVersion: string, more: Partial<ApiObject> = {}): ApiObject =>
  object({ apiVersion, kind: 'PriorityClass', ...more });

describe('typed steps', () => {
  const { handles } = forKind<PriorityClass>({ ...about, operations: ['CREATE', 'DELETE'] }, {});

  it('apply to one kind in all its versions, under either name of its group', () => {
    expect(handles(classes(), 'CREATE', '')).toBe(true);
    expect(handles(classes({ version: 'v1beta1' }), 'DELETE', '')).toBe(true);
    expect(handles(classes({}, 'scheduling.k8s.io'), 'CREATE', '')).toBe(true);
    expect(handles(classes({}, 'example.com'), 'CREATE', '')).toBe(false);
    expect(handles(configMaps, 'CREATE', '')).toBe(false);
    expect(handles(classes(), 'UPDATE', '')).toBe(false);
  });

  it('apply to named subresources with the whole object', () => {
    const status = { name: 'status', verbs: [], writes: [], writesMetadata: false };
    const scale = { ...status, name: 'scale', scale: { specReplicasPath: '.a', statusReplicasPath: '.b' } };
    const resource = classes({ subresources: [status, scale] });
    const all = forKind<PriorityClass>({ ...about, subresources: ['', 'status', 'scale'] }, {});
    expect(handles(resource, 'CREATE', 'status')).toBe(false);
    expect(['', 'status', 'scale'].map((name) => all.handles(resource, 'CREATE', name))).toEqual([true, true, false]);
  });

  it('see the objects of the request itself if they have the right version', async () => {
    const { admit } = forKind<PriorityClass>(about, {
      admit({ object: made }) {
        if (made) made.value = 7;
        return undefined;
      },
    });
    const made = priorityClass(about.apiVersion);
    expect(await admit?.(write({ resource: classes(), object: made }), contextWith({}))).toBeUndefined();
    expect(made.value).toBe(7);
  });
});

describe('requests in another version', () => {
  const older = classes({ version: 'v1beta1' });
  const context: AdmissionContext = {
    ...contextWith({}),
    // Converts between the versions. The older version calls the value a weight.
    convert({ value, weight, ...rest }, apiVersion) {
      const number = value ?? weight ?? 0;
      const isOlder = apiVersion.endsWith('v1beta1');
      return { ok: true, value: { ...rest, apiVersion, ...(isOlder ? { weight: number } : { value: number }) } };
    },
  };
  const create = (made: ApiObject): AdmissionAttributes =>
    write({ resource: older, object: made, oldObject: priorityClass('scheduling.platform.io/v1beta1', { weight: 1 }) });

  it('are converted for the step, and its changes back', async () => {
    const seen: unknown[] = [];
    const { admit } = forKind<PriorityClass>(about, {
      async admit({ object: made, oldObject }) {
        seen.push(made?.apiVersion, made?.value, oldObject?.value);
        if (made) Object.assign(made, { value: 9, description: 'changed' });
        return undefined;
      },
    });
    const made = priorityClass('scheduling.platform.io/v1beta1', { weight: 5, globalDefault: true });
    expect(await admit?.(create(made), context)).toBeUndefined();
    expect(seen).toEqual(['scheduling.platform.io/v1', 5, 1]);
    expect(made).toEqual(
      priorityClass('scheduling.platform.io/v1beta1', { weight: 9, globalDefault: true, description: 'changed' }),
    );
  });

  it('stay unchanged if a step refuses or changes nothing', async () => {
    const made = priorityClass('scheduling.platform.io/v1beta1', { weight: 5 });
    const before = structuredClone(made);
    const refusing = forKind<PriorityClass>(about, { validate: () => badRequest('no') });
    expect(await refusing.validate?.(create(made), context)).toMatchObject({ message: 'no' });
    const silent = forKind<PriorityClass>(about, { admit: () => undefined });
    expect(await silent.admit?.(create(made), context)).toBeUndefined();
    expect(made).toEqual(before);
  });

  it('fail if they cannot be converted', async () => {
    const { validate } = forKind<PriorityClass>(about, { validate: () => undefined });
    const attributes = create(priorityClass('scheduling.platform.io/v1beta1'));
    const failure = badRequest('the webhook is down');
    const failing: AdmissionContext = { ...context, convert: () => ({ ok: false, failure }) };
    expect(await validate?.(attributes, failing)).toBe(failure);
    expect(await validate?.(attributes, contextWith({}))).toMatchObject({
      reason: 'InternalError',
      message: expect.stringContaining('PriorityClass has no version scheduling.platform.io/v1'),
    });
  });
});

describe('typed objects', () => {
  it('are followed in the version that they are stored in', () => {
    const host = hostOf([classes({ version: 'v1beta1', storage: false }), classes()]);
    const followed = objectsOf<PriorityClass>(host, about.apiVersion, 'priorityclasses');
    host.put('priorityclasses', priorityClass(about.apiVersion, { value: 3 }));
    expect(followed.get('', 'a')?.value).toBe(3);
    expect([...followed.list()].map(({ metadata }) => metadata.name)).toEqual(['a']);
  });
});
