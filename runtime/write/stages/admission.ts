/**
 * The stages of admission. First, plugins may change an object in place. Later, they see the final object and may only
 * refuse it.
 */
import type {
  AdmissionAttributes,
  AdmissionContext,
  AdmissionObserver,
  AdmissionPass,
  AdmissionPlace,
  AdmissionPlugin,
  AdmissionStep,
  ApiObject,
  ExplainAdmission,
  Failure,
  JsonObject,
  Observer,
  Operation,
} from '../../contract/index.js';
import { clone } from '../../objects/clone.js';
import { changesBetween } from '../../objects/equality.js';
import { badRequest, internalFailure } from '../../objects/failures.js';
import { isObject } from '../../objects/guards.js';
import { memoizeByObject } from '../../objects/memoize.js';
import { quote } from '../../objects/printing.js';
import type { MaybePromise } from '../../objects/turns.js';
import { toObject } from '../decode.js';
import { type CreateAttempt, type DeleteAttempt, subresourceName, type UpdateAttempt, type Write } from '../write.js';

export const admitCreate = ({ write, object }: CreateAttempt): Promise<Failure | undefined> =>
  admit(write, 'CREATE', { object });

export async function admitUpdate({ write, object, old, plan: { view } }: UpdateAttempt): Promise<Failure | undefined> {
  if (!view) return admit(write, 'UPDATE', { object, oldObject: old });
  const [shown, shownOld] = [view.of(object), view.of(old)];
  if (!shown.ok) return shown.failure;
  if (!shownOld.ok) return shownOld.failure;
  const refused = await admit(write, 'UPDATE', { object: shown.value, oldObject: shownOld.value });
  return refused ?? view.into(object, shown.value);
}

// The stages of validating admission: plugins see the final object and may only refuse it.

/** Asks about a create or an update. */
export function validateAdmitted(attempt: CreateAttempt | UpdateAttempt): MaybePromise<Failure | undefined> {
  const { write, object } = attempt;
  if (attempt.operation === 'CREATE') return validateAdmission(write, 'CREATE', { object });
  const { view } = attempt.plan;
  const { old } = attempt;
  if (!view) return validateAdmission(write, 'UPDATE', { object, oldObject: old });
  const [shown, shownOld] = [view.of(object), view.of(old)];
  if (!shown.ok) return shown.failure;
  if (!shownOld.ok) return shownOld.failure;
  return validateAdmission(write, 'UPDATE', { object: shown.value, oldObject: shownOld.value });
}

/** Asks about a delete. Mutating plugins may refuse it too. */
export async function admitDelete({ write, old, admitted }: DeleteAttempt): Promise<Failure | undefined> {
  if (admitted) return undefined;
  const marks = write.resource.handlers?.marksFirst !== undefined;
  const objects = { oldObject: old, ...(marks ? { options: withUid(write.options, old) } : {}) };
  return (await admit(write, 'DELETE', objects)) ?? validateAdmission(write, 'DELETE', objects);
}

/** Adds the object's UID as a precondition, because the delete must only remove the object that it found. */
function withUid(options: JsonObject, { metadata }: ApiObject): JsonObject {
  const { preconditions } = options;
  return { ...options, preconditions: { ...(isObject(preconditions) ? preconditions : {}), uid: metadata.uid } };
}

/** The objects of a write as plugins see them. */
export interface AdmittedObjects {
  readonly object?: ApiObject;
  readonly oldObject?: ApiObject;
  /** The options of the write, if it has others than the client sent. */
  readonly options?: JsonObject;
}

/**
 * Runs the mutating stage; plugins change `object` in place. All plugins run again if one of them asks for it. Resolves
 * to the first refusal.
 */
export function admit(write: Write, operation: Operation, objects: AdmittedObjects): Promise<Failure | undefined> {
  return runPlugins(write, operation, objects, 'admit');
}

/** The passes of the mutating plugins over one write. */
class Passes implements AdmissionPass {
  isSecond = false;
  #wanted = false;

  again(): void {
    this.#wanted = !this.isSecond;
  }

  /** Begins the second pass, if a plugin wants it. */
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
  const steps = stepsOf(plugins, operation, step, write.services.observer);
  const began = performance.now();
  const refused = await runSteps(steps, attributes, write.admission);
  const again = !refused && passes?.goOn() === true;
  const refusedThen = again ? await runSteps(steps, attributes, write.admission) : refused;
  steps.observeAll?.(refusedThen !== undefined, (performance.now() - began) / 1000);
  if (refusedThen || step === 'validate' || !steps.mayBreakForm) return refusedThen;
  return bringIntoForm(write, objects.object);
}

/**
 * Prunes an object that plugins have changed, and fills in its defaults. Leaves objects of other kinds alone, such as
 * the objects of subresources, because they become a part of the resource's object later.
 */
function bringIntoForm({ resource }: Write, object: ApiObject | undefined): Failure | undefined {
  if (object?.kind !== resource.module.names.kind || object.apiVersion !== resource.apiVersion) return undefined;
  const made = toObject(resource, object);
  if (!made.ok) return internalFailure(made.problem);
  if (object.metadata.managedFields?.length === 0) delete object.metadata.managedFields;
  return undefined;
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
    { object, oldObject, options = write.options }: AdmittedObjects,
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
    this.options = optionsOf(options, operation);
    this.user = write.user;
    this.dryRun = write.dryRun;
    if (pass) this.pass = pass;
  }
}

const optionsKinds: Readonly<Partial<Record<Operation, string>>> = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions' };

/**
 * Returns the options for plugins. A patch or a replacement has the options of its operation, a create or an update.
 */
function optionsOf(options: JsonObject, operation: Operation): JsonObject {
  const kind = optionsKinds[operation];
  if (kind === undefined || options.kind === kind) return options;
  const { force: _, ...rest } = options;
  return { ...rest, kind };
}

// Runs the admission plugins of an operation, measures each, and reports its outcome to observers.

/** Asks each plugin once. Resolves to the first refusal. */
async function runSteps(
  steps: PluginSteps,
  attributes: AdmissionAttributes,
  context: AdmissionContext,
): Promise<Failure | undefined> {
  let before = performance.now();
  const { explain } = context;
  for (const { plugin, step, decide, observe } of steps.each) {
    const answer =
      (attributes.dryRun && refuseDryRun(plugin, attributes)) ||
      (explain
        ? decideExplained({ name: plugin.name, step, decide }, attributes, context, explain)
        : decide(attributes, context));
    // Most plugins answer at once; an `await` for each would cost more than they do.
    const refused = answer instanceof Promise ? await answer : answer;
    const now = performance.now();
    observe?.(refused !== undefined, (now - before) / 1000);
    before = now;
    if (refused) return refused;
  }
  return undefined;
}

/** Refuses a dry run that would reach a plugin with side effects, because nobody can undo them. */
function refuseDryRun(
  { name, sideEffects = false }: AdmissionPlugin,
  attributes: AdmissionAttributes,
): Failure | undefined {
  const hasEffects = typeof sideEffects === 'function' ? sideEffects(attributes) : sideEffects;
  return hasEffects ? badRequest(`admission plugin ${quote(name)} does not support dry run`) : undefined;
}

/** A plugin at a step, and the observer of its decisions. */
interface PluginStep {
  readonly plugin: AdmissionPlugin;
  readonly step: AdmissionPlace['step'];
  readonly decide: Decide;
  readonly observe: AdmissionObserver | undefined;
}

/** The steps of a list of plugins, in order. */
interface PluginSteps {
  readonly each: readonly PluginStep[];
  /** Whether a plugin may leave an object without defaults, or with fields that its kind does not have. */
  readonly mayBreakForm: boolean;
  readonly observeAll: AdmissionObserver | undefined;
}

/** The steps by lists of plugins. A resource has one list, so most writes find its steps here. */
const stepsByPlugins = memoizeByObject((_plugins: readonly AdmissionPlugin[]) => new Map<string, PluginSteps>());

function stepsOf(
  plugins: readonly AdmissionPlugin[],
  operation: Operation,
  step: AdmissionPlace['step'],
  observer: Observer | undefined,
): PluginSteps {
  const known = stepsByPlugins(plugins);
  const key = operation + step;
  const steps = known.get(key);
  if (steps) return steps;
  const found: PluginSteps = {
    each: plugins.flatMap((plugin) => {
      const decide = plugin[step]?.bind(plugin);
      return decide
        ? [{ plugin, step, decide, observe: observer?.admission({ plugin: plugin.name, step, operation }) }]
        : [];
    }),
    mayBreakForm: plugins.some((plugin) => plugin.admit && !plugin.keepsForm),
    observeAll: observer?.admission({ step, operation }),
  };
  known.set(key, found);
  return found;
}

type Decide = (attributes: AdmissionAttributes, context: AdmissionContext) => MaybePromise<Failure | undefined>;

/**
 * Lets a plugin decide, and reports what it did to a request that asks for explanations. Does not report plugins that
 * report their own parts, such as webhooks, or that do nothing.
 */
async function decideExplained(
  { name, step, decide }: { readonly name: string; readonly step: AdmissionStep['step']; readonly decide: Decide },
  attributes: AdmissionAttributes,
  context: AdmissionContext,
  explain: ExplainAdmission,
): Promise<Failure | undefined> {
  const { object } = attributes;
  const before = object && clone(object);
  let hasTold = false;
  const own = explainedBy(context, (told) => {
    hasTold = true;
    explain(told);
  });
  const began = performance.now();
  const refused = await decide(attributes, own);
  const milliseconds = performance.now() - began;
  if (hasTold) return refused;
  const patch = object && before ? changesBetween(before, object) : [];
  const shared = { kind: 'plugin', name, step, milliseconds } as const;
  if (refused) explain({ ...shared, outcome: 'denied', message: refused.message });
  else if (patch.length > 0) explain({ ...shared, outcome: 'changed', patch: [...patch] });
  return refused;
}

/** Returns the context with another function for explanations. */
function explainedBy(context: AdmissionContext, explain: ExplainAdmission): AdmissionContext {
  const { get, list, rely, authorize, decide, convert, decode, merge, warn, annotate } = context;
  const timeLeft = (): number => context.timeLeft?.() ?? Number.POSITIVE_INFINITY;
  return {
    get,
    list,
    rely,
    authorize,
    decide,
    convert,
    ...(decode ? { decode } : {}),
    ...(merge ? { merge } : {}),
    timeLeft,
    warn,
    annotate,
    explain,
  };
}
