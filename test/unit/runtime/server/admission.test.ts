/** The server from the view of admission plugins: its resources, followed objects, requests, and notes for audit. */
import { beforeEach, describe, expect, it } from 'vitest';
import type {
  AdmissionAttributes,
  AdmissionHost,
  AdmissionPlugin,
  ResourceModule,
} from '../../../../runtime/contract/index.js';
import { defineConversion } from '../../../../runtime/schema/index.js';
import { moduleOf } from '../../../support/modules.js';
import { suiteApi } from '../../../support/test-api.js';
import { widget, widgets, widgetsPath } from '../../../support/widgets.js';

const core = moduleOf('', 'events', 'Event');
const other = moduleOf('events.platform.io', 'events', 'Event', {
  storage: false,
  storedAs: { group: '', plural: 'events' },
  conversion: defineConversion([{ move: { field: 'note', stored: 'message' } }]),
});
const beta: ResourceModule = { ...other, version: 'v1beta1', served: false };

let host: AdmissionHost | undefined;
const seen: AdmissionAttributes[] = [];
const converted: unknown[] = [];
const noted: string[] = [];
const witness: AdmissionPlugin = {
  name: 'Witness',
  start: (given) => {
    host = given;
  },
  handles: () => true,
  async validate(attributes, { annotate, convert, decide }) {
    seen.push(attributes);
    annotate('example.com/seen', attributes.operation);
    annotate('example.com/seen', 'again');
    const { object, user } = attributes;
    if (object) converted.push(convert(object, 'v1'), convert(object, 'events.platform.io/v1'));
    expect(await decide({ user, verb: 'get', path: '/' })).toEqual({ decision: 'allow' });
    return undefined;
  },
};
const api = await suiteApi([widgets, core, other, beta], {
  plugins: [witness],
  onAuditNote: (key, value, { method }) => noted.push(`${method} ${key}=${value}`),
});
beforeEach(() => {
  for (const list of [seen, converted, noted]) list.length = 0;
});

describe('plugins', () => {
  it('know the resources that are served', () => {
    const index = host?.resources;
    expect(index?.find('example.com', 'v1', 'widgets')?.names.kind).toBe('Widget');
    expect(index?.find('example.com', 'v2', 'widgets')).toBeUndefined();
    expect(index?.ofKind('example.com/v1', 'Widget')?.names.plural).toBe('widgets');
    expect(index?.ofKind('example.com/v1', 'Gadget')).toBeUndefined();
    const versions = index?.equivalents(core).map(({ group, version }) => `${group}/${version}`);
    expect(versions).toEqual(expect.arrayContaining(['/v1', 'events.platform.io/v1']));
    expect(index?.equivalents(widgets)).toHaveLength(1);
    expect(api.server.resources).toBe(index);
  });

  it('receive the objects that they follow', async () => {
    const names: string[] = [];
    const following = host?.follow('example.com', 'widgets', {
      changed: ({ metadata }) => names.push(metadata.name ?? ''),
      removed: (namespace, name) => names.push(`-${namespace}/${name}`),
      reset: () => {},
    });
    await api.send('POST', widgetsPath, widget('followed'));
    await api.send('DELETE', `${widgetsPath}/followed`);
    following?.stop();
    expect(names).toEqual(['followed', '-default/followed']);
  });

  it('see the verb that a request turns out to be', async () => {
    await api.send('POST', widgetsPath, widget('a'));
    await api.send('PATCH', `${widgetsPath}/a?fieldManager=me`, { spec: { size: 4 } });
    const yaml = { 'content-type': 'application/apply-patch+yaml' };
    await api.send('PATCH', `${widgetsPath}/b?fieldManager=me&force=true`, widget('b'), yaml);
    await api.send('DELETE', `${widgetsPath}/a`);
    expect(seen.map(({ operation, name, options }) => [operation, name, options.kind, options.fieldManager])).toEqual([
      ['CREATE', 'a', 'CreateOptions', undefined],
      ['UPDATE', 'a', 'UpdateOptions', 'me'],
      ['CREATE', 'b', 'CreateOptions', 'me'],
      ['DELETE', 'a', 'DeleteOptions', undefined],
    ]);
    expect(seen[2]?.options).not.toHaveProperty('force');
  });

  it('are asked about collections without names', async () => {
    await api.send('POST', widgetsPath, widget('c'));
    seen.length = 0;
    await api.send('DELETE', widgetsPath);
    expect(seen.length).toBeGreaterThan(0);
    expect(new Set(seen.map(({ operation, name }) => `${operation} ${name}`))).toEqual(new Set(['DELETE ']));
  });

  it('convert objects between versions of their kind', async () => {
    await api.send('POST', '/apis/events.platform.io/v1/namespaces/a/events', { metadata: { name: 'x' }, note: 'n' });
    expect(converted[0]).toMatchObject({ ok: true, value: { apiVersion: 'v1', kind: 'Event', message: 'n' } });
    expect(converted[1]).toMatchObject({ ok: true, value: { apiVersion: 'events.platform.io/v1', note: 'n' } });
    expect(seen[0]?.object).toMatchObject({ note: 'n' });
    converted.length = 0;
    await api.send('POST', widgetsPath, widget('d'));
    expect(converted).toEqual([undefined, undefined]);
  });

  it('note something for audit, each thing once', async () => {
    await api.send('POST', widgetsPath, widget('e'));
    await api.send('DELETE', `${widgetsPath}/e`);
    expect(noted).toEqual(['POST example.com/seen=CREATE', 'DELETE example.com/seen=DELETE']);
    expect(api.defects).toEqual([]);
  });
});
