/** Code for `anyOf`, `oneOf`, `allOf` and `not`. */
import type { Node } from '../node.js';
import type { ModuleCode } from './module-code.js';
import { camel } from './names.js';

/** Names the function that checks a branch and counts the checks that applied. */
export type BranchFunction = (node: Node, hint: string, root: boolean) => string;

/** Where a combination stands. */
export interface CombinationSite {
  /** Variable and path of the value, as expressions. */
  readonly value: string;
  readonly path: string;
  readonly hint: string;
  /** Whether the value is the whole object, whose fields have no path before them. */
  readonly root: boolean;
  /** Whether the checks that applied are added up in `matches`. */
  readonly counted: boolean;
}

/** Emits calls of the helpers for combinations. */
export class CombinationEmitter {
  constructor(
    private readonly code: ModuleCode,
    private readonly branch: BranchFunction,
  ) {}

  /** Statements for the combinations of a node, in the order of the reference. */
  lines(node: Node, site: CombinationSite): string[] {
    return [
      ...this.choice('anyOf', node.anyOf, site),
      ...this.choice('oneOf', node.oneOf, site),
      ...this.choice('allOf', node.allOf, site),
      ...this.not(node.not, site),
    ];
  }

  private choice(keyword: 'anyOf' | 'oneOf' | 'allOf', branches: readonly Node[], site: CombinationSite): string[] {
    if (branches.length === 0) return [];
    const names = branches.map((branch, index) => this.branch(branch, `${site.hint}Choice${index + 1}`, site.root));
    const list = this.code.constant(`${camel(site.hint)}Choices`, `[${names.join(', ')}]`);
    const call = `${this.code.use(keyword)}(${list}, ${site.value}, ${site.path}, errors);`;
    return [site.counted ? `matches += ${call}` : call];
  }

  private not(branch: Node | undefined, site: CombinationSite): string[] {
    if (branch === undefined) return [];
    const name = this.branch(branch, `${site.hint}Exception`, site.root);
    return [`${this.code.use('not')}(${name}, ${site.value}, ${site.path}, errors);`];
  }
}
