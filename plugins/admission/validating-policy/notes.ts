/** The notes of policies for the audit of a request. */
import type { AdmissionContext } from '../../../runtime/contract/index.js';
import type { Note, Violation } from './evaluate-policy.js';
import type { BindingSpec } from './spec.js';

/** Longest value of a note, in bytes; what is longer is cut. */
const maxValueBytes = 10 * 1024;

/** Gathers the notes of one policy, whose bindings may yield different values for a key. */
export class PolicyNotes {
  readonly #values = new Map<string, string[]>();

  add({ key, value }: Note): void {
    const cut = cutBytes(value, maxValueBytes);
    const values = this.#values.get(key) ?? [];
    this.#values.set(key, values);
    if (!values.includes(cut)) values.push(cut);
  }

  publish(policy: string, { annotate }: AdmissionContext): void {
    for (const [key, values] of this.#values) annotate(`${policy}/${key}`, values.join(', '));
  }
}

/** The value of the note about a demand that was not met. */
export function failureNote({ name, policyName, actions }: BindingSpec, { index, message }: Violation): string {
  return JSON.stringify([
    { message, policy: policyName, binding: name, expressionIndex: index, validationActions: actions },
  ]);
}

function cutBytes(text: string, most: number): string {
  const bytes = Buffer.from(text);
  return bytes.length <= most
    ? text
    : bytes
        .subarray(0, most)
        .toString()
        .replace(/\uFFFD$/, '');
}
