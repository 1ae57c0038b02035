/** A stored definition that the server follows, and the resources that it serves because of it. */
import { setMaxListeners } from 'node:events';
import type { ApiObject, Guard, JsonObject, ResourceModule } from '../../contract/index.js';
import { isTrue } from '../../objects/definition-conditions.js';
import { equal } from '../../objects/equality.js';
import { objectAt, stringAt } from '../../objects/guards.js';
import type { DefinedAtRunTime } from '../../resource/served-resource.js';
import type { Registry } from '../registry.js';

/** Makes the modules of all versions of a definition, in the same way as for a definition in a file. */
export type CompileDefinition = (definition: JsonObject) => readonly ResourceModule[];

/** How the resources of a definition are made. */
export interface DefinitionCompiler {
  readonly compile: CompileDefinition;
  readonly build: (modules: readonly ResourceModule[], defined: DefinedAtRunTime) => Registry;
}

/** A stored definition, and whether its resources are served. */
export class KnownDefinition {
  readonly group: string;
  readonly plural: string;
  #object: ApiObject;
  /** The key and revision of the stored definition. */
  #guard: Guard;
  #served: { readonly as: ApiObject; readonly resources: Registry; readonly ending: AbortController } | undefined;

  constructor(object: ApiObject, guard: Guard) {
    const spec = objectAt(object, 'spec');
    this.#object = object;
    this.#guard = guard;
    this.group = stringAt(spec, 'group');
    this.plural = stringAt(objectAt(spec, 'names'), 'plural');
  }

  get object(): ApiObject {
    return this.#object;
  }

  get acceptedNames(): JsonObject {
    return acceptedNamesOf(this.#object);
  }

  /** Whether the definition is being deleted. */
  get isTerminating(): boolean {
    return this.#object.metadata.deletionTimestamp !== undefined;
  }

  /** The served resources of the definition. */
  get resources(): Registry | undefined {
    return this.#served?.resources;
  }

  /**
   * Takes the latest state of the definition, and makes its resources again if they have changed. Ends watches of the
   * earlier resources.
   */
  become(object: ApiObject, guard: Guard, { compile, build }: DefinitionCompiler): void {
    this.#object = object;
    this.#guard = guard;
    if (!isTrue(objectAt(object, 'status'), 'Established')) {
      this.end();
      return;
    }
    if (this.#served && isServedAlike(this.#served.as, object)) return;
    const ending = new AbortController();
    // Every watch of the resource listens.
    setMaxListeners(0, ending.signal);
    const spec: JsonObject = { ...objectAt(object, 'spec'), names: this.acceptedNames };
    const resources = build(compile({ ...object, spec }), {
      uid: object.metadata.uid,
      since: guard.revision,
      ended: ending.signal,
      terminating: () => this.isTerminating,
      guard: () => this.#guard,
    });
    const before = this.#served;
    this.#served = { as: object, resources, ending };
    before?.ending.abort();
  }

  /** Stops serving the resources. */
  end(): void {
    const before = this.#served;
    this.#served = undefined;
    before?.ending.abort();
  }
}

const acceptedNamesOf = (definition: ApiObject): JsonObject =>
  objectAt(objectAt(definition, 'status'), 'acceptedNames') ?? {};

/** Returns whether two states of a definition are served in the same way. Most states with the same generation are. */
function isServedAlike(before: ApiObject, now: ApiObject): boolean {
  if (before.metadata.uid !== now.metadata.uid) return false;
  if (!equal(acceptedNamesOf(before), acceptedNamesOf(now))) return false;
  return before.metadata.generation === now.metadata.generation || equal(before.spec ?? null, now.spec ?? null);
}
