/** Reports stored objects that break relations: as problems of the server, and in a condition of their APIService. */
import { type ApiObjectLike, createResourceClient, defineResource, isAlreadyExists, sleep } from '../client/index.js';
import type { Controller } from './controller.js';
import { type ControllerContext, defineController } from './kit/define-controller.js';

/** Objects of a version that break its relations. */
export interface ReportedVersion {
  readonly group: string;
  readonly version: string;
  /** The problems, a line for each kind; empty if all relations hold. */
  readonly problems: readonly string[];
}

export interface RelationReportOptions {
  /** The group of APIServices, as it is served. */
  readonly services: string;
  /** The label of APIServices that the server owns. */
  readonly label: string;
  /** Checks all objects. Returns every version that has kinds with relations. */
  readonly find: (signal: AbortSignal) => Promise<readonly ReportedVersion[]>;
  /** Called with each line that was not in the previous report. */
  readonly onFound: (problem: string) => void;
}

interface Condition {
  type: string;
  status: string;
  lastTransitionTime?: string;
  reason: string;
  message: string;
}

interface APIService extends ApiObjectLike {
  spec?: { group: string; version: string; groupPriorityMinimum: number; versionPriority: number };
  status?: { conditions?: Condition[] };
}

/** Pauses before the first search after a start, and between searches that find something, milliseconds. */
const pausesMs = { first: 1000, next: 5000 };

/** The same priority as for versions of definitions that arrive at run time. */
const priorities = { groupPriorityMinimum: 1000, versionPriority: 100 } as const;

/** Defines the controller. It searches until all relations hold: from then on, no write breaks one. */
export function defineRelationReport({ services, label, find, onFound }: RelationReportOptions): Controller {
  const apiServices = defineResource<APIService>()({
    group: services,
    version: 'v1',
    plural: 'apiservices',
    kind: 'APIService',
    scope: 'Cluster',
    subresources: ['status'],
  } as const);

  /** Writes the condition of a version if it has changed. */
  const report = async ({ group, version, problems }: ReportedVersion, context: ControllerContext): Promise<void> => {
    const { client, clock, signal } = context;
    const all = createResourceClient(apiServices, client);
    const name = `${version}.${group}`;
    const spec = { group, version, ...priorities };
    const metadata = { name, labels: { [label]: 'onstart' } };
    await all.create({ metadata, spec }, { signal }).catch(ignoreTaken);
    const found = await all.get(name, { signal });
    const before = found.status?.conditions ?? [];
    const now = `${new Date(clock.wallMs()).toISOString().slice(0, 19)}Z`;
    const next = conditionOf(
      problems,
      before.find(({ type }) => type === TYPE),
      now,
    );
    const conditions = [...before.filter(({ type }) => type !== TYPE), next];
    if (JSON.stringify(conditions) === JSON.stringify(before)) return;
    await all.subresource('status').update({ ...found, status: { ...found.status, conditions } }, { signal });
  };

  return defineController({
    name: 'relation-report',
    watches: [],
    reconcile: async () => {},
    async beside(context) {
      const { signal, clock, onError } = context;
      let told: ReadonlySet<string> = new Set();
      for (let pauseMs = pausesMs.first; !signal.aborted; pauseMs = pausesMs.next) {
        await sleep(pauseMs, signal, clock);
        if (signal.aborted) return;
        const versions = await find(signal);
        const problems = versions.flatMap((each) => each.problems);
        for (const problem of problems) if (!told.has(problem)) onFound(problem);
        told = new Set(problems);
        try {
          for (const one of versions) await report(one, context);
          if (problems.length === 0) return;
        } catch (error) {
          if (!signal.aborted) onError('conditions', error);
        }
      }
    },
  });
}

const TYPE = 'RelationsHold';

function conditionOf(problems: readonly string[], before: Condition | undefined, now: string): Condition {
  const status = problems.length === 0 ? 'True' : 'False';
  const [reason, message] =
    problems.length === 0 ? ['AllHold', 'all stored objects keep their relations'] : ['Broken', problems.join('\n')];
  const lastTransitionTime = before?.status === status ? (before.lastTransitionTime ?? now) : now;
  return { type: TYPE, status, lastTransitionTime, reason, message };
}

function ignoreTaken(error: unknown): void {
  if (!isAlreadyExists(error)) throw error;
}
