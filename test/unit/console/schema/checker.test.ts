import { ApiError, type DynamicObject } from 'kindforge/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Checker, type Checks } from '../../../../packages/console/src/schema/checker.js';

const object: DynamicObject = { apiVersion: 'v1', kind: 'Widget', metadata: {} };

function checker(checks: Partial<Checks>): { checker: Checker; report: ReturnType<typeof vi.fn<Checks['report']>> } {
  const report = vi.fn<Checks['report']>();
  return { checker: new Checker({ check: async () => [], dryRun: async () => undefined, report, ...checks }), report };
}

describe('Checker', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('checks the schema soon, and asks the server after a pause', async () => {
    const dryRun = vi.fn(async () => ({ problems: [{ path: 'spec', message: 'refused' }] }));
    const found = { path: 'spec.a', message: 'must be a string', reason: 'type' } as const;
    const { checker: one, report } = checker({ check: async () => [found], dryRun });
    one.ask(object);
    await vi.advanceTimersByTimeAsync(200);
    expect(report.mock.lastCall).toEqual([[{ path: 'spec.a', message: 'must be a string' }], false]);
    expect(dryRun).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(500);
    expect(report.mock.lastCall?.[0].map(({ path }) => path)).toEqual(['spec.a', 'spec']);
  });

  it("leaves out the server's errors about a field that already has a problem", async () => {
    const both = { path: 'spec.a', message: 'wrong' };
    const { checker: one, report } = checker({
      check: async () => [{ ...both, reason: 'type' }],
      dryRun: async () => ({ problems: [both, { path: 'spec.b', message: 'wrong' }] }),
    });
    one.ask(object);
    await vi.advanceTimersByTimeAsync(1000);
    expect(report.mock.lastCall?.[0].map(({ path }) => path)).toEqual(['spec.a', 'spec.b']);
  });

  it('asks the server once for many changes, and cancels the request for the earlier object', async () => {
    const signals: AbortSignal[] = [];
    const dryRun = vi.fn((_: DynamicObject, signal: AbortSignal) => {
      signals.push(signal);
      return new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 5000));
    });
    const { checker: one, report } = checker({ dryRun });
    for (let i = 0; i < 10; i++) {
      one.ask(object);
      await vi.advanceTimersByTimeAsync(100);
    }
    await vi.advanceTimersByTimeAsync(600);
    expect(dryRun).toHaveBeenCalledTimes(1);
    one.ask(object);
    expect(signals[0]?.aborted).toBe(true);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(report.mock.calls.filter(([, isSettled]) => isSettled)).toHaveLength(1);
  });

  it('warns if the server does not answer, and finds nothing without a schema', async () => {
    const { checker: one, report } = checker({
      check: () => Promise.reject(new Error('no schema')),
      dryRun: () =>
        Promise.reject(new ApiError(409, { kind: 'Status', apiVersion: 'v1', metadata: {}, message: 'conflict' })),
    });
    one.ask(object);
    await vi.advanceTimersByTimeAsync(1000);
    expect(report.mock.lastCall?.[0]).toEqual([{ path: '', message: 'conflict', severity: 'warning' }]);
  });

  it('reports nothing about an object that has changed since', async () => {
    const late = new Promise<[]>((resolve) => setTimeout(() => resolve([]), 300));
    const { checker: one, report } = checker({ check: () => late });
    one.ask(object);
    await vi.advanceTimersByTimeAsync(150);
    one.stop();
    await vi.advanceTimersByTimeAsync(1000);
    expect(report).not.toHaveBeenCalled();
  });

  it('reports nothing after it was stopped', async () => {
    const { checker: one, report } = checker({});
    one.ask(object);
    one.stop();
    await vi.advanceTimersByTimeAsync(1000);
    expect(report).not.toHaveBeenCalled();
  });
});
