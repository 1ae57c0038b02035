/** Serves stored definitions: follows them, serves their resources, and writes their status. */
import type { ApiObject, Entry, Failure, Guard, ResourceModule, Subscription } from '../../contract/index.js';
import { equal } from '../../objects/equality.js';
import { isStringArray, objectAt, stringAt } from '../../objects/guards.js';
import type { Naming } from '../../objects/names/naming.js';
import { formatTime } from '../../objects/scan/time.js';
import type { VerbServices } from '../../request/verb-request.js';
import type { ResourceNames, ServedResource } from '../../resource/served-resource.js';
import { sharedObjectOf } from '../../resource/versions.js';
import { claimLocksIn } from '../../write/held-values.js';
import type { LiveRegistry } from '../registry.js';
import { type CleanUp, cleanUp } from './clean-up.js';
import { type DefinitionCompiler, KnownDefinition } from './known-definition.js';
import { type NamesInUse, nextStatus, type StatusCircumstances } from './next-status.js';
import { updateOwn } from './own-writes.js';

/** The parts that serve definitions. */
export interface DefinitionParts extends DefinitionCompiler {
  readonly services: VerbServices;
  readonly registry: LiveRegistry;
  /** Modules with names that no definition can take. */
  readonly builtIn: () => readonly ResourceModule[];
  readonly naming: Naming;
  /** Called with an error about a definition. The server continues with the others. */
  readonly onProblem: (name: string, problem: unknown) => void;
}

/** Pause before a retry, milliseconds. */
const retryMs = 1000;

/** Milliseconds to wait while another server decides about the names of a group. */
const lockedMs = 50;

/**
 * Serves the stored definitions, then returns and follows their changes. Does nothing if the server does not have the
 * kind.
 */
export function serveDefinitions(parts: DefinitionParts): void {
  const resource = parts.registry.stored(parts.naming.rename('apiextensions.platform.io'), 'customresourcedefinitions');
  if (resource) new Definitions(parts, resource).follow();
}

class Definitions {
  readonly #parts: DefinitionParts;
  readonly #resource: ServedResource;
  readonly #cleanUp: CleanUp;
  readonly #known = new Map<string, KnownDefinition>();
  /** Definitions to check, in order. All servers see changes in the same order, and so decide the same. */
  readonly #waiting = new Set<string>();
  /** Watches for the last objects of definitions that are being deleted. */
  readonly #held = new Map<string, Subscription>();
  #busy = false;
  #closed = false;

  constructor(parts: DefinitionParts, resource: ServedResource) {
    this.#parts = parts;
    this.#resource = resource;
    const finalizer = parts.naming.rename('customresourcecleanup.apiextensions.platform.io');
    this.#cleanUp = { services: parts.services, definitions: resource, finalizer };
  }

  /** Takes the stored definitions, and follows their changes. A new list keeps the known definitions. */
  follow(): void {
    const unseen = new Set<string>();
    const put = (entry: Entry): void => {
      unseen.delete(this.#nameOf(entry.key));
      this.#take(entry);
    };
    this.#parts.services.follow('definitions', {
      parts: [{ prefix: this.#resource.keyPrefix, put, remove: (key) => this.#forget(this.#nameOf(key)) }],
      reset: () => {
        for (const name of this.#known.keys()) unseen.add(name);
      },
      complete: () => {
        for (const name of unseen) this.#forget(name);
        unseen.clear();
      },
      closed: () => {
        this.#closed = true;
      },
    });
  }

  #nameOf(key: string): string {
    return key.slice(this.#resource.keyPrefix.length);
  }

  #take(entry: Entry): void {
    const name = this.#nameOf(entry.key);
    const { registry, onProblem } = this.#parts;
    try {
      const object = sharedObjectOf(this.#resource, entry);
      const guard = { key: entry.key, revision: entry.revision };
      const known = this.#known.get(name) ?? new KnownDefinition(object, guard);
      this.#known.set(name, known);
      const before = known.resources;
      known.become(object, guard, this.#parts);
      if (known.resources) {
        if (known.resources !== before) registry.set(known.group, known.plural, known.resources);
      } else if (before) registry.remove(known.group, known.plural);
    } catch (problem) {
      onProblem(name, problem);
    }
    this.#lookAt(name);
  }

  #forget(name: string): void {
    const known = this.#known.get(name);
    if (!known) return;
    this.#known.delete(name);
    this.#held.get(name)?.stop();
    this.#held.delete(name);
    if (known.resources) this.#parts.registry.remove(known.group, known.plural);
    known.end();
    // The names of the deleted definition are free now.
    for (const [other, { group }] of this.#known) if (group === known.group) this.#lookAt(other);
  }

  #lookAt(name: string): void {
    this.#waiting.add(name);
    if (!this.#busy) void this.#lookAtAll();
  }

  /** Checks all waiting definitions. Never rejects. */
  async #lookAtAll(): Promise<void> {
    this.#busy = true;
    // Answers a write before it checks the definitions that the write changed.
    await Promise.resolve();
    try {
      for (const name of this.#waiting) {
        this.#waiting.delete(name);
        const problem = await this.#settle(name).catch((error: unknown) => error ?? 'failed');
        if (problem !== undefined && !this.#closed) this.#tryAgain(name, problem);
      }
    } finally {
      this.#busy = false;
    }
  }

  #tryAgain(name: string, problem: unknown): void {
    this.#parts.onProblem(name, problem);
    setTimeout(() => this.#lookAt(name), retryMs).unref();
  }

  /** Writes the status that a definition should have. If the definition is being deleted, continues its deletion. */
  async #settle(name: string): Promise<Failure | undefined> {
    const known = this.#known.get(name);
    if (!known || this.#closed) return undefined;
    return known.isTerminating ? this.#end(name, known) : this.#writeStatus(name, known);
  }

  async #writeStatus(name: string, known: KnownDefinition): Promise<Failure | undefined> {
    if (this.#isSettled(name, known)) return undefined;
    const { services } = this.#parts;
    const locks = claimLocksIn(services.store);
    if (!locks) return this.#writeDecision(name, known);
    // Servers may see the definitions of a group in different orders, so only one at a time accepts names.
    const lock = await locks.take(`!claims/${this.#resource.groupResource}/${known.group}`);
    if (!lock.held) {
      if (!lock.failure) setTimeout(() => this.#lookAt(name), lockedMs).unref();
      return lock.failure;
    }
    const failed = await this.#writeDecision(name, known, lock.held);
    locks.release(lock.held);
    return failed;
  }

  async #writeDecision(name: string, known: KnownDefinition, held?: Guard): Promise<Failure | undefined> {
    if (this.#isSettled(name, known)) return undefined;
    const circumstances = this.#circumstancesOf(name, known);
    const place = { name, uid: known.object.metadata.uid ?? '', subresource: 'status' };
    const decide = (draft: ApiObject): void => {
      draft.status = nextStatus(draft, circumstances);
    };
    const written = await updateOwn(this.#parts.services, this.#resource, place, decide, held);
    return written.ok || isGone(written.failure) ? undefined : written.failure;
  }

  /** Returns whether the status is as it should be. */
  #isSettled(name: string, known: KnownDefinition): boolean {
    const { object } = known;
    return equal(nextStatus(object, this.#circumstancesOf(name, known)), objectAt(object, 'status') ?? {});
  }

  #circumstancesOf(name: string, known: KnownDefinition): StatusCircumstances {
    const { services, naming } = this.#parts;
    const { clock, release } = services;
    return { inUse: this.#namesBeside(name, known), naming, release, now: formatTime(clock()) };
  }

  async #end(name: string, known: KnownDefinition): Promise<Failure | undefined> {
    if (!known.object.metadata.finalizers?.includes(this.#cleanUp.finalizer) || this.#held.has(name)) return undefined;
    // A built-in resource keeps its objects. At an earlier start, this definition may have served them.
    const resource = this.#isBuiltIn(known) ? undefined : known.resources?.stored(known.group, known.plural);
    const ended = await cleanUp(this.#cleanUp, known.object, resource);
    if (ended === 'held' && resource) this.#watchLast(name, resource);
    return typeof ended === 'string' || isGone(ended) ? undefined : ended;
  }

  #isBuiltIn({ group, plural }: KnownDefinition): boolean {
    return this.#parts.builtIn().some((module) => module.group === group && module.names.plural === plural);
  }

  /** Checks a definition again when its last object, which a finalizer holds, is gone. */
  #watchLast(name: string, { keyPrefix }: ResourceNames): void {
    const { store } = this.#parts.services;
    const again = (): void => {
      this.#held.get(name)?.stop();
      this.#held.delete(name);
      this.#lookAt(name);
    };
    const subscription = store.watch(keyPrefix, store.revision, {
      event: ({ type }) => {
        if (type === 'DELETED' && store.count(keyPrefix) === 0) again();
      },
      ended: (reason) => {
        if (reason !== 'closed') again();
      },
    });
    if (typeof subscription !== 'string') this.#held.set(name, subscription);
  }

  /** Returns the names in a group that belong to resources other than this definition's. */
  #namesBeside(name: string, { group }: KnownDefinition): NamesInUse {
    const resources = new Set<string>();
    const kinds = new Set<string>();
    const add = (names: readonly unknown[], to: Set<string>): void => {
      for (const each of names) if (typeof each === 'string' && each !== '') to.add(each);
    };
    for (const { names, group: of } of this.#parts.builtIn()) {
      if (of !== group) continue;
      add([names.plural, names.singular, ...names.shortNames], resources);
      add([names.kind, names.listKind], kinds);
    }
    for (const [other, known] of this.#known) {
      if (other === name || known.group !== group) continue;
      const { shortNames } = known.acceptedNames;
      const texts = ['plural', 'singular'].map((field) => stringAt(known.acceptedNames, field));
      add([...texts, ...(isStringArray(shortNames) ? shortNames : [])], resources);
      add([stringAt(known.acceptedNames, 'kind'), stringAt(known.acceptedNames, 'listKind')], kinds);
    }
    return { resources, kinds };
  }
}

/** Returns whether the definition was deleted, replaced or changed. A changed definition is checked again anyway. */
const isGone = ({ reason }: Failure): boolean => reason === 'NotFound' || reason === 'Conflict';
