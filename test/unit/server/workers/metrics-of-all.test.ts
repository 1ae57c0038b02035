/** The metrics of several processes, from one of them. */
import { describe, expect, it } from 'vitest';
import { Metrics, metricTable } from '../../../../runtime/server/index.js';
import type { Calls } from '../../../../server/workers/calls.js';
import { defineMetricsOfAll } from '../../../../server/workers/metrics-of-all.js';

const newMetrics = (): Metrics => new Metrics({ release: '0.1', prefix: 'kubernetes' });

const { requests, storage, flowControl, process: ofProcess } = metricTable;

/** Makes a worker with metrics, which answers while `isThere`. */
function workerOf(metrics: Metrics): { readonly calls: Calls; isThere: boolean } {
  const worker = {
    isThere: true,
    calls: {
      call: async (_name: string, asFloat: unknown) => {
        if (!worker.isThere) throw new Error('ended');
        return structuredClone(await metrics.read(asFloat === true));
      },
      end: () => undefined,
    },
  };
  return worker;
}

async function textOf(all: ReturnType<typeof defineMetricsOfAll>): Promise<readonly string[]> {
  const shown = newMetrics();
  shown.showTogether(all);
  return [...(await shown.show('')).pieces].join('').split('\n');
}

describe('metrics of all processes', () => {
  it('add up counts and sizes, and have one value for facts', async () => {
    const [own, a, b] = [newMetrics(), newMetrics(), newMetrics()];
    for (const [metrics, inFlight] of [
      [a, 2],
      [b, 3],
    ] as const) {
      metrics.number(requests.metrics.inFlight).with('mutating').value = inFlight;
      metrics.number(flowControl.metrics.nominal).with('exempt').value = 5;
    }
    own.number(flowControl.metrics.nominal).with('exempt').value = 10;
    for (const metrics of [own, a, b]) metrics.number(storage.metrics.objects).with('pods').value = 7;
    own.number(ofProcess.metrics.start).with().value = 100;
    a.number(ofProcess.metrics.start).with().value = 200;
    const lines = await textOf(defineMetricsOfAll(own, () => [workerOf(a).calls, workerOf(b).calls]));
    expect(lines).toContain('apiserver_current_inflight_requests{request_kind="mutating"} 5');
    expect(lines).toContain('apiserver_storage_objects{resource="pods"} 7');
    expect(lines).toContain('apiserver_flowcontrol_nominal_limit_seats{priority_level="exempt"} 10');
    expect(lines).toContain('process_start_time_seconds 100');
  });

  it('add up the buckets of histograms', async () => {
    const [own, a, b] = [newMetrics(), newMetrics(), newMetrics()];
    const { queued } = metricTable.controllers.metrics;
    a.histogram(queued).with('gc').observe(0.05);
    a.histogram(queued).with('gc').observe(5);
    b.histogram(queued).with('gc').observe(0.05);
    const lines = await textOf(defineMetricsOfAll(own, () => [workerOf(a).calls, workerOf(b).calls]));
    expect(lines).toContain('workqueue_queue_duration_seconds_bucket{name="gc",le="0.1"} 2');
    expect(lines).toContain('workqueue_queue_duration_seconds_count{name="gc"} 3');
  });

  it('keep the counts of workers that have ended, and forget the rest of them', async () => {
    const [own, a, b] = [newMetrics(), newMetrics(), newMetrics()];
    const [one, two] = [workerOf(a), workerOf(b)];
    let present = [one.calls];
    const all = defineMetricsOfAll(own, () => present);
    a.number(metricTable.controllers.metrics.adds).with('gc').value = 3;
    a.number(requests.metrics.inFlight).with('mutating').value = 1;
    b.number(metricTable.controllers.metrics.adds).with('gc').value = 2;
    expect(await textOf(all)).toContain('workqueue_adds_total{name="gc"} 3');
    one.isThere = false;
    expect(await textOf(all)).toContain('workqueue_adds_total{name="gc"} 3');
    present = [two.calls];
    for (let scrape = 0; scrape < 2; scrape++) {
      const lines = await textOf(all);
      expect(lines).toContain('workqueue_adds_total{name="gc"} 5');
      expect(lines.filter((line) => line.startsWith('apiserver_current_inflight_requests{'))).toEqual([]);
    }
  });
});
