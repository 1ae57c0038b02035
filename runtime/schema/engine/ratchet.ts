/** Checks an update against a structural schema, but accepts unchanged values. */
import type { FieldError, JsonValue } from '../../contract/index.js';
import type { Correlation } from '../correlation.js';
import type { Findings, Path } from './findings.js';
import type { Node } from './table.js';
import { Validator } from './validate.js';

/**
 * Drops the errors of each value that equals its earlier state, and of all values below it. Errors of a combination's
 * branches belong to the value that the combination checks.
 */
export class UpdateValidator extends Validator {
  #at: Correlation | undefined;

  /** `pass` gets the dropped errors. */
  constructor(
    path: Path,
    found: Findings,
    root: Correlation,
    private readonly pass: (error: FieldError) => unknown,
  ) {
    super(path, found, true);
    this.#at = root;
  }

  protected override below(node: Node, value: JsonValue, step: string | number): number {
    const around = this.#at;
    const { count } = this.found;
    this.#at = around?.child(typeof step === 'number' ? step : step.slice(1));
    const applied = super.below(node, value, step);
    if (this.found.count > count && this.#at?.isUnchanged) this.found.dropSince(count).forEach(this.pass);
    this.#at = around;
    return applied;
  }
}
