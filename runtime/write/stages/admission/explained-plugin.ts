/** Has one plugin decide, and tells what it has done, for a request that asks for explanations. */
import type {
  AdmissionAttributes,
  AdmissionContext,
  AdmissionStep,
  ExplainAdmission,
  Failure,
} from '../../../contract/index.js';
import { clone } from '../../../objects/clone.js';
import { changesBetween } from '../../../objects/equality.js';

type Decide = (
  attributes: AdmissionAttributes,
  context: AdmissionContext,
) => Failure | undefined | Promise<Failure | undefined>;

/** Plugins that tell of their own parts, such as webhooks, are not told of again. Those that do nothing are left out. */
export async function decideExplained(
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
