/** Reading events and metrics for the home page. */
import { describe, expect, it } from 'vitest';
import type { DynamicObject, ServedKind } from '../../../../client/index.js';
import { parseMetrics } from '../../../../packages/console/src/metrics/parse.js';
import { wantedMetrics } from '../../../../packages/console/src/metrics/readings.js';
import { admissionRows, commitTimes } from '../../../../packages/console/src/pages/home/admission.js';
import { newestEvents } from '../../../../packages/console/src/pages/home/events.js';
import { serverFacts, storageFacts } from '../../../../packages/console/src/pages/home/facts.js';
import { flowLevels, servedCounts, watchRows } from '../../../../packages/console/src/pages/home/served.js';

const event = (name: string, fields: object): DynamicObject => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name, namespace: 'a', uid: name },
  ...fields,
});

describe('events', () => {
  it('are the newest first, in the older and in the newer form', () => {
    const events = newestEvents([
      event('old', {
        lastTimestamp: '2026-01-01T00:00:00Z',
        reason: 'A',
        message: 'm',
        involvedObject: { kind: 'Pod', name: 'p' },
      }),
      event('new', {
        eventTime: '2026-01-02T00:00:00.000000Z',
        reason: 'B',
        note: 'n',
        type: 'Warning',
        regarding: { kind: 'Node', name: 'q' },
      }),
    ]);
    expect(events.map(({ reason, message, isWarning, about }) => [reason, message, isWarning, about.kind])).toEqual([
      ['B', 'n', true, 'Node'],
      ['A', 'm', false, 'Pod'],
    ]);
  });

  it('may lack any field', () => {
    expect(newestEvents([event('bare', { involvedObject: null })])).toMatchObject([{ reason: '', time: '' }]);
  });
});

const kind = (group: string, plural: string): ServedKind => ({
  ...{ group, version: 'v1', plural, singular: '', kind: plural, scope: 'Cluster', subresources: [] },
  ...{ verbs: ['list'], shortNames: [], categories: [], isPreferred: true },
});

describe('kinds with their counts', () => {
  it('begin with the kinds of the user, and leave out built-in ones without objects', () => {
    const samples = parseMetrics(
      'apiserver_storage_objects{resource="pods"} 2\napiserver_storage_objects{resource="nodes"} 5\napiserver_storage_objects{resource="widgets.shop.example.com"} 1',
      new Set(['apiserver_storage_objects']),
    ).get('apiserver_storage_objects');
    const kinds = [
      kind('', 'pods'),
      kind('', 'nodes'),
      kind('', 'secrets'),
      kind('shop.example.com', 'widgets'),
      kind('shop.example.com', 'gadgets'),
    ];
    expect(servedCounts(kinds, samples).map(({ kind: { plural }, count }) => [plural, count])).toEqual([
      ['gadgets', 0],
      ['widgets', 1],
      ['nodes', 5],
      ['pods', 2],
    ]);
  });
});

const read = (...lines: readonly string[]) => parseMetrics(lines.join('\n'), wantedMetrics);

describe('watches by kind', () => {
  it("are added up, without other long requests, under the kind's name if the server serves it", () => {
    const long = (labels: string, count: number): string => `apiserver_longrunning_requests{${labels}} ${count}`;
    const samples = read(
      long('group="",resource="pods",scope="cluster",verb="WATCH"', 2),
      long('group="",resource="pods",scope="namespace",verb="WATCH"', 3),
      long('group="",resource="pods",verb="CONNECT"', 7),
      long('group="shop.example.com",resource="gone",verb="WATCH"', 1),
      long('group="",resource="nodes",verb="WATCH"', 0),
      'apiserver_watch_events_total{group="",version="v1",kind="pods"} 9',
    );
    expect(
      watchRows([kind('', 'pods')], samples).map(({ resource, open, events }) => [resource, open, events]),
    ).toEqual([
      ['pods', 5, 9],
      ['gone', 1, undefined],
    ]);
  });
});

describe('admission', () => {
  const bucket = (metric: string, labels: string, le: string, count: number): string =>
    `apiserver_admission_${metric}_admission_duration_seconds_bucket{${labels},le="${le}"} ${count}`;

  it('has its steps and each webhook, with refused calls', () => {
    const samples = read(
      bucket('step', 'operation="CREATE",rejected="false",type="admit"', '0.1', 4),
      bucket('step', 'operation="CREATE",rejected="false",type="admit"', '+Inf', 4),
      bucket('step', 'operation="UPDATE",rejected="true",type="admit"', '+Inf', 1),
      bucket('webhook', 'name="paint.example.com",rejected="true",type="validating"', '+Inf', 2),
      bucket('webhook', 'name="never.example.com",rejected="false",type="validating"', '+Inf', 0),
    );
    expect(admissionRows(samples).map(({ name, calls, refused }) => [name, calls, refused])).toEqual([
      ['Mutating', 5, 1],
      ['paint.example.com', 2, 2],
    ]);
    expect(admissionRows(samples)[0]?.p50).toBeCloseTo(0.0625);
  });
});

describe('facts', () => {
  const etcd = (operation: string, count: number): string =>
    `etcd_request_duration_seconds_bucket{operation="${operation}",type="pods",le="0.1"} ${count}\netcd_request_duration_seconds_bucket{operation="${operation}",type="pods",le="+Inf"} ${count}`;

  it('come from the names of either server, and leave out what a server does not have', () => {
    const kube = read(
      'apiserver_storage_db_total_size_in_bytes{endpoint="a"} 2048',
      etcd('create', 5),
      etcd('list', 50),
    );
    expect(storageFacts(kube)).toEqual([
      { label: 'Database', value: '2 KiB' },
      { label: 'Commit p50', value: '50 ms' },
      { label: 'Commit p99', value: '99 ms' },
    ]);
    const own = read('kindforge_storage_revision 1234', 'kindforge_storage_history_bytes 1024');
    expect(storageFacts(own)).toEqual([
      { label: 'History', value: '1 KiB' },
      { label: 'Revision', value: '1,234' },
    ]);
    expect(commitTimes(own)).toBeUndefined();
  });

  it('include the uptime of a server, and the number of its audit records', () => {
    const samples = read('process_start_time_seconds 100', 'apiserver_audit_event_total 7');
    expect(serverFacts('v1.27.0', samples, undefined, 220_000)).toEqual([
      { label: 'Version', value: 'v1.27.0' },
      { label: 'Runs for', value: '2m' },
      { label: 'Audit records', value: '7' },
    ]);
  });
});

describe('levels of flow control', () => {
  it('have the sums of their samples', () => {
    const text = [
      'apiserver_flowcontrol_nominal_limit_seats{priority_level="b"} 10',
      'apiserver_flowcontrol_current_executing_requests{priority_level="b",flow_schema="x"} 1',
      'apiserver_flowcontrol_current_executing_requests{priority_level="b",flow_schema="y"} 2',
    ].join('\n');
    const names = ['nominal_limit_seats', 'current_executing_requests'].map((name) => `apiserver_flowcontrol_${name}`);
    expect(flowLevels(parseMetrics(text, new Set(names)))).toEqual([
      { name: 'b', executing: 3, queued: 0, rejected: 0, limit: 10 },
    ]);
  });
});
