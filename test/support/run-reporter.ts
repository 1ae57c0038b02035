/** Prints the skipped tests, and each failure at once. Vitest's own reporter prints failures only at the end. */
import type { SerializedError } from 'vitest';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

export default class RunReporter implements Reporter {
  readonly #withoutPackages: readonly string[];

  /** Prints the test folders that Vitest skips because their packages are not installed. */
  constructor({ withoutPackages }: { readonly withoutPackages: readonly string[] }) {
    this.#withoutPackages = withoutPackages;
  }

  onInit(): void {
    if (this.#withoutPackages.length === 0) return;
    const folders = this.#withoutPackages.join(', ');
    console.warn(`\nskipping the tests of ${folders}: \`npm run install:all\` installs their packages`);
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors = [] } = test.result();
    if (state === 'failed') print(`${test.module.relativeModuleId} > ${test.fullName}`, errors);
  }

  /** Prints errors outside of tests, such as failed imports. */
  onTestModuleEnd(module: TestModule): void {
    const inSuites = [...module.children.allSuites()].flatMap((suite) => suite.errors());
    print(module.relativeModuleId, [...module.errors(), ...inSuites]);
  }
}

function print(where: string, errors: readonly SerializedError[]): void {
  for (const { stack, message, diff } of errors) {
    const own = stack?.replaceAll(/\n +at .*\bnode_modules\b.*/g, '') ?? message;
    console.error(`\nFAILED ${where}\n${own}${typeof diff === 'string' ? `\n${diff}` : ''}\n`);
  }
}
