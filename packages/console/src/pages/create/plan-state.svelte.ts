/** The state of a plan, while it is made and applied. */
import { type ApplyConflictError, type DynamicObject, isApplyConflict } from 'kindforge/client';
import type { Mark } from '../../editor/editor-state.svelte.js';
import { DocumentsError, lineOfField, type SourceDocument } from '../../plan/documents.js';
import { carryOut, documentsOf, manager, plan, type Step } from '../../plan/plan.js';
import { problemsOf } from '../../schema/problems.js';
import type { Session } from '../../session/session.js';

/** The outcome of an applied document. */
export interface Outcome {
  /** The object on the server; absent if the server refused it. */
  readonly object?: DynamicObject;
  readonly error?: unknown;
}

/** The time between two updates of the page, milliseconds. */
const flushMs = 60;

/** The most lines to mark: nobody reads more. */
const mostMarks = 100;

export class PlanState {
  /** In the order of application. While the plan is made, only the steps that the server has answered. */
  steps: readonly Step[] = $state.raw([]);
  /** By the manifest of a step. */
  outcomes: ReadonlyMap<DynamicObject, Outcome> = $state.raw(new Map());
  /** Refused documents by their manifests. Unreadable documents have none. */
  #marked: ReadonlyMap<DynamicObject | undefined, readonly Mark[]> = $state.raw(new Map());
  /** Refused and unreadable documents, at their lines. */
  readonly marks: readonly Mark[] = $derived([...this.#marked.values()].flat());
  count = $state(0);
  state: 'none' | 'planning' | 'planned' | 'applying' | 'applied' = $state('none');
  problem: unknown = $state.raw(undefined);
  /** The documents to apply next: all that would change something, and are not applied yet. */
  readonly left: readonly Step[] = $derived(this.steps.filter((step) => this.#isLeft(step)));
  readonly failed = $derived([...this.outcomes.values()].filter(({ error }) => error !== undefined).length);
  readonly isBusy = $derived(this.state === 'planning' || this.state === 'applying');
  /** The documents that take over fields, by their manifests. */
  forced: ReadonlySet<DynamicObject> = $state.raw(new Set());
  readonly #session: Session;
  #sources: readonly SourceDocument[] = [];
  #running = new AbortController();
  /** The news since the page was drawn. */
  readonly #came = { steps: new Map<DynamicObject, Step>(), outcomes: new Map<DynamicObject, Outcome>() };
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Makes the plan of a text. Never rejects. */
  async make(text: string, namespace: string): Promise<void> {
    this.clear();
    await this.#run('planning', 'planned', async (signal) => {
      this.#sources = await documentsOf(this.#session.client, text, namespace, signal);
      signal.throwIfAborted();
      this.count = this.#sources.length;
      await plan(this.#session.client, this.#documents, { signal, onStep: (step) => this.#take(step) });
    });
  }

  /** Applies the remaining documents. Never rejects. */
  async apply(): Promise<void> {
    const manifests = this.left.map(({ manifest }) => manifest);
    await this.#run('applying', 'applied', (signal) =>
      carryOut(this.#session.client, manifests, {
        signal,
        forces: (manifest) => this.forced.has(manifest),
        onResult: ({ manifest, object, error }) => {
          if (signal.aborted && object === undefined) return;
          this.#came.outcomes.set(manifest, object === undefined ? { error } : { object });
          if (error !== undefined) void this.#mark(manifest, error);
          this.#flushSoon();
        },
      }),
    );
  }

  /**
   * Sets whether a document takes over fields from other managers, and asks what it would change then. Never rejects.
   */
  async force(manifest: DynamicObject, isForced: boolean): Promise<void> {
    const others = [...this.forced].filter((one) => one !== manifest);
    this.forced = new Set(isForced ? [...others, manifest] : others);
    const step = this.steps.find((one) => one.manifest === manifest);
    const taken = isForced ? conflictOf(step, this.outcomes.get(manifest))?.conflicts : undefined;
    const onStep = (next: Step): void => this.#take({ ...next, ...(taken ? { taken } : {}) });
    if (this.#running.signal.aborted) this.#running = new AbortController();
    const { signal } = this.#running;
    try {
      await plan(this.#session.client, [manifest], { signal, all: this.#documents, force: isForced, onStep });
    } catch {
      // The plan is gone.
    }
    this.#flush();
  }

  /**
   * Lists the objects that the plan has created and the user may delete. Leaves out objects that somebody else has
   * written since.
   */
  async created(): Promise<readonly DynamicObject[]> {
    const { client, rights } = this.#session;
    const own = this.steps.flatMap(({ fate, manifest }) => {
      const object = this.outcomes.get(manifest)?.object;
      const isNew = (fate === 'created' || fate === 'waits') && object?.metadata.managedFields?.every(isOurs);
      return object && isNew ? [object] : [];
    });
    const may = async ({ apiVersion, kind, metadata: { namespace } }: DynamicObject): Promise<boolean> => {
      const { group, plural } = await client.kind({ apiVersion, kind });
      return rights.may({ verb: 'delete', group, resource: plural, namespace });
    };
    const allowed = await Promise.all(own.map((object) => may(object).catch(() => false)));
    return own.filter((_, index) => allowed[index]);
  }

  /** Forgets outcomes after their objects are deleted. */
  forget(objects: readonly DynamicObject[]): void {
    const gone = new Set<DynamicObject | undefined>(objects);
    this.outcomes = new Map([...this.outcomes].filter(([, { object }]) => object === undefined || !gone.has(object)));
  }

  /** Ends the current work. Answers of the server stay. */
  cancel(): void {
    this.#running.abort();
  }

  /** Ends the current work, and forgets the plan. */
  clear(): void {
    this.cancel();
    this.#came.steps.clear();
    this.#came.outcomes.clear();
    this.#sources = [];
    this.steps = [];
    this.outcomes = new Map();
    this.forced = new Set();
    this.#marked = new Map();
    this.count = 0;
    this.problem = undefined;
    this.state = 'none';
  }

  get #documents(): readonly DynamicObject[] {
    return this.#sources.map(({ object }) => object);
  }

  async #run(
    during: 'planning' | 'applying',
    after: 'planned' | 'applied',
    act: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const running = new AbortController();
    this.#running = running;
    this.problem = undefined;
    this.state = during;
    try {
      await act(running.signal);
    } catch (error) {
      if (this.#running !== running) return;
      if (error instanceof DocumentsError)
        this.#marked = new Map([[undefined, error.problems.map((one) => ({ ...one, severity: 'error' as const }))]]);
      if (!running.signal.aborted) this.problem = error;
    }
    if (this.#running !== running) return;
    this.#flush();
    this.state = this.steps.length > 0 ? after : 'none';
  }

  #isLeft({ manifest, fate }: Step): boolean {
    const outcome = this.outcomes.get(manifest);
    if (outcome?.object !== undefined) return false;
    return fate === 'created' || fate === 'changed' || fate === 'waits';
  }

  #take(step: Step): void {
    this.#came.steps.set(step.manifest, step);
    if (step.error !== undefined && step.fate !== 'waits') void this.#mark(step.manifest, step.error);
    else if (this.#marked.has(step.manifest))
      this.#marked = new Map([...this.#marked].filter(([manifest]) => manifest !== step.manifest));
    this.#flushSoon();
  }

  #flushSoon(): void {
    this.#timer ??= setTimeout(() => this.#flush(), flushMs);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { steps, outcomes } = this.#came;
    if (steps.size > 0) {
      const all = new Map([...this.steps.map((step) => [step.manifest, step] as const), ...steps]);
      this.steps = this.#documents.flatMap((manifest) => all.get(manifest) ?? []);
    }
    if (outcomes.size > 0) this.outcomes = new Map([...this.outcomes, ...outcomes]);
    steps.clear();
    outcomes.clear();
  }

  /** Marks the fields that an error names at their lines. */
  async #mark(manifest: DynamicObject, error: unknown): Promise<void> {
    const source = this.#sources.find(({ object }) => object === manifest);
    if (!source || this.marks.length >= mostMarks) return;
    const severity = isApplyConflict(error) ? 'warning' : 'error';
    const marks: Mark[] = [];
    for (const { path, message } of problemsOf(error))
      marks.push({ line: await lineOfField(source, path || fieldIn(message)), message, severity });
    if (this.#sources.includes(source)) this.#marked = new Map([...this.#marked, [manifest, marks]]);
  }
}

/** Returns whether the console wrote the fields, or the server wrote fields of a subresource, such as a status. */
const isOurs = (entry: { readonly manager?: string; readonly subresource?: string }): boolean =>
  entry.manager === manager || entry.subresource !== undefined;

/** Returns the field that a message begins with, as in `…: .data.a: expected string`. */
const fieldIn = (message: string): string => /: (\.[^\s:]+): /.exec(message)?.[1] ?? '';

/** Returns the conflict of a document with other managers: from the plan, or from its application. */
export function conflictOf(step: Step | undefined, outcome: Outcome | undefined): ApplyConflictError | undefined {
  const error = outcome?.error ?? step?.error;
  return isApplyConflict(error) ? error : undefined;
}
