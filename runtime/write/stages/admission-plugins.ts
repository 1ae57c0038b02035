/** Runs the admission plugins that handle an operation, times each, and reports what each did to observers. */
import type {
  AdmissionAttributes,
  AdmissionContext,
  AdmissionObserver,
  AdmissionPlace,
  AdmissionPlugin,
  AdmissionStep,
  ExplainAdmission,
  Failure,
  Observer,
  Operation,
} from '../../contract/index.js';
import { clone } from '../../objects/clone.js';
import { changesBetween } from '../../objects/equality.js';
import { badRequest } from '../../objects/failures.js';
import { memoizeByObject } from '../../objects/memoize.js';
import { quote } from '../../objects/printing.js';
import type { MaybePromise } from '../../objects/turns.js';

/** Asks each plugin once. Resolves to the first refusal. */
export async function runSteps(
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
    // Most plugins answer at once; a turn of waiting for each would cost more than they do.
    const refused = answer instanceof Promise ? await answer : answer;
    const now = performance.now();
    observe?.(refused !== undefined, (now - before) / 1000);
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

/** A plugin at a step, and the observer of its decisions. */
interface PluginStep {
  readonly plugin: AdmissionPlugin;
  readonly step: AdmissionPlace['step'];
  readonly decide: Decide;
  readonly observe: AdmissionObserver | undefined;
}

/** The plugins that have a step. */
export interface PluginSteps {
  readonly each: readonly PluginStep[];
  /** Whether one of them may leave an object without defaults, or with fields that its kind does not have. */
  readonly mayBreakForm: boolean;
  readonly observeAll: AdmissionObserver | undefined;
}

/** Found once for the plugins of a resource, not with each write. */
const stepsByPlugins = memoizeByObject((_plugins: readonly AdmissionPlugin[]) => new Map<string, PluginSteps>());

export function stepsOf(
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
 * Has a plugin decide, and tells what it has done, for a request that asks for explanations. Plugins that tell of their own
 * parts, such as webhooks, are not told of again; those that do nothing are left out.
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

/** The context with somebody else who is told. */
function explainedBy(context: AdmissionContext, explain: ExplainAdmission): AdmissionContext {
  const { get, list, rely, authorize, decide, convert, decode, warn, annotate } = context;
  const timeLeft = (): number => context.timeLeft?.() ?? Number.POSITIVE_INFINITY;
  return {
    get,
    list,
    rely,
    authorize,
    decide,
    convert,
    ...(decode ? { decode } : {}),
    timeLeft,
    warn,
    annotate,
    explain,
  };
}
