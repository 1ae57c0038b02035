/** The two admission stages: plugins that may change a write, later plugins that may only refuse it. */
import type {
  AdmissionAttributes,
  AdmissionContext,
  AdmissionObserver,
  AdmissionPass,
  AdmissionPlace,
  AdmissionPlugin,
  ApiObject,
  Failure,
  JsonObject,
  Observer,
  Operation,
} from '../../../contract/index.js';
import { badRequest, internalFailure } from '../../../objects/failures.js';
import { memoizeByObject } from '../../../objects/memoize.js';
import { quote } from '../../../objects/printing.js';
import { toObject } from '../../decode/decode.js';
import { subresourceName, type Write } from '../../write.js';
import { decideExplained } from './explained-plugin.js';

/** The objects of a write as plugins see them. */
export interface AdmittedObjects {
  readonly object?: ApiObject;
  readonly oldObject?: ApiObject;
}

/**
 * Runs the mutating stage; plugins change `object` in place. They run a second time where one of them asks for it.
 * Resolves to the first refusal.
 */
export function admit(write: Write, operation: Operation, objects: AdmittedObjects): Promise<Failure | undefined> {
  return runPlugins(write, operation, objects, 'admit');
}

/** The passes of mutating plugins over one write. */
class Passes implements AdmissionPass {
  isSecond = false;
  #wanted = false;

  again(): void {
    this.#wanted = !this.isSecond;
  }

  /** Begins the second pass, where it is wanted. */
  goOn(): boolean {
    const goesOn = this.#wanted;
    if (goesOn) this.isSecond = true;
    this.#wanted = false;
    return goesOn;
  }
}

/** Runs the validating stage. Resolves to the first refusal. */
export function validateAdmission(
  write: Write,
  operation: Operation,
  objects: AdmittedObjects,
): Promise<Failure | undefined> {
  return runPlugins(write, operation, objects, 'validate');
}

async function runPlugins(
  write: Write,
  operation: Operation,
  objects: AdmittedObjects,
  step: AdmissionPlace['step'],
): Promise<Failure | undefined> {
  const plugins = write.resource.admission(operation, subresourceName(write));
  if (plugins.length === 0) return undefined;
  const passes = step === 'admit' ? new Passes() : undefined;
  const attributes = new WriteAttributes(write, operation, objects, passes);
  const places = placesOf(plugins, operation, step, write.services.observer);
  const began = performance.now();
  const refused = await runPlaces(places, attributes, write.admission);
  const again = !refused && passes?.goOn() === true;
  const refusedThen = again ? await runPlaces(places, attributes, write.admission) : refused;
  places.tellOfAll?.(refusedThen !== undefined, (performance.now() - began) / 1000);
  if (refusedThen || step === 'validate' || !places.mayBreakForm) return refusedThen;
  return bringIntoForm(write, objects.object);
}

/**
 * Prunes what plugins have made of an object, and gives it its defaults. Objects of other kinds, as those of
 * subresources, go into one of the resource's own kind later.
 */
function bringIntoForm({ resource }: Write, object: ApiObject | undefined): Failure | undefined {
  if (object?.kind !== resource.module.names.kind || object.apiVersion !== resource.apiVersion) return undefined;
  const made = toObject(resource, object);
  if (!made.ok) return internalFailure(made.problem);
  if (object.metadata.managedFields?.length === 0) delete object.metadata.managedFields;
  return undefined;
}

/** One pass. Resolves to the first refusal. */
async function runPlaces(
  places: Places,
  attributes: AdmissionAttributes,
  context: AdmissionContext,
): Promise<Failure | undefined> {
  let before = performance.now();
  const { explain } = context;
  for (const { plugin, step, decide, tell } of places.each) {
    const answer =
      (attributes.dryRun && refuseDryRun(plugin, attributes)) ||
      (explain
        ? decideExplained({ name: plugin.name, step, decide }, attributes, context, explain)
        : decide(attributes, context));
    // Most plugins answer at once; a turn of waiting for each would cost more than they do.
    const refused = answer instanceof Promise ? await answer : answer;
    const now = performance.now();
    tell?.(refused !== undefined, (now - before) / 1000);
    before = now;
    if (refused) return refused;
  }
  return undefined;
}

/** Refuses a dry run that would come to a plugin with side effects, which cannot be undone. */
function refuseDryRun(
  { name, sideEffects = false }: AdmissionPlugin,
  attributes: AdmissionAttributes,
): Failure | undefined {
  const hasEffects = typeof sideEffects === 'function' ? sideEffects(attributes) : sideEffects;
  return hasEffects ? badRequest(`admission plugin ${quote(name)} does not support dry run`) : undefined;
}

/** A plugin at a step, and the function that is told of what it decides. */
interface Place {
  readonly plugin: AdmissionPlugin;
  readonly step: AdmissionPlace['step'];
  readonly decide: (
    attributes: AdmissionAttributes,
    context: AdmissionContext,
  ) => Failure | undefined | Promise<Failure | undefined>;
  readonly tell: AdmissionObserver | undefined;
}

/** The plugins that have a step. */
interface Places {
  readonly each: readonly Place[];
  /** Whether one of them may leave an object without defaults, or with fields that its kind does not have. */
  readonly mayBreakForm: boolean;
  readonly tellOfAll: AdmissionObserver | undefined;
}

/** Found once for the plugins of a resource, not with each write. */
const placesByPlugins = memoizeByObject((_plugins: readonly AdmissionPlugin[]) => new Map<string, Places>());

function placesOf(
  plugins: readonly AdmissionPlugin[],
  operation: Operation,
  step: AdmissionPlace['step'],
  observer: Observer | undefined,
): Places {
  const known = placesByPlugins(plugins);
  const key = operation + step;
  const places = known.get(key);
  if (places) return places;
  const found: Places = {
    each: plugins.flatMap((plugin) => {
      const decide = plugin[step]?.bind(plugin);
      return decide
        ? [{ plugin, step, decide, tell: observer?.admission({ plugin: plugin.name, step, operation }) }]
        : [];
    }),
    mayBreakForm: plugins.some((plugin) => plugin.admit && !plugin.keepsForm),
    tellOfAll: observer?.admission({ step, operation }),
  };
  known.set(key, found);
  return found;
}

/** A write as plugins see it. */
class WriteAttributes implements AdmissionAttributes {
  readonly operation: Operation;
  readonly resource: AdmissionAttributes['resource'];
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly pathName?: string;
  readonly object?: ApiObject;
  readonly oldObject?: ApiObject;
  readonly options: JsonObject;
  readonly user: AdmissionAttributes['user'];
  readonly dryRun: boolean;
  readonly pass?: AdmissionPass;

  constructor(
    write: Write,
    operation: Operation,
    { object, oldObject }: AdmittedObjects,
    pass: AdmissionPass | undefined,
  ) {
    this.operation = operation;
    this.resource = write.resource.module;
    this.subresource = subresourceName(write);
    this.namespace = write.namespace;
    this.name = write.ofCollection ? '' : write.name || (object?.metadata.name ?? '');
    if (write.name !== '') this.pathName = write.name;
    if (object) this.object = object;
    if (oldObject) this.oldObject = oldObject;
    this.options = optionsOf(write.options, operation);
    this.user = write.user;
    this.dryRun = write.dryRun;
    if (pass) this.pass = pass;
  }
}

const optionsKinds: Readonly<Partial<Record<Operation, string>>> = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions' };

/** Plugins see the options of the operation that a patch or a replace turns out to be: a create or an update. */
function optionsOf(options: JsonObject, operation: Operation): JsonObject {
  const kind = optionsKinds[operation];
  if (kind === undefined || options.kind === kind) return options;
  const { force: _, ...rest } = options;
  return { ...rest, kind };
}
