/** Asks the authorizer on behalf of expressions, which cannot wait for an answer. */
import type { Ask } from '../../../runtime/cel/index.js';
import type { AdmissionContext } from '../../../runtime/contract/index.js';

/** Ends an evaluation that needs an answer which is still to come. */
class Unanswered {
  constructor(readonly answer: Promise<void>) {}
}

/** The rights of one request. */
export interface Rights {
  readonly ask: Ask;
  /**
   * Runs what asks. Where the authorizer has to be waited for, it is run again once the answer is known: it is to do
   * nothing but compute.
   */
  settle<T>(run: () => T): Promise<T>;
}

export function defineRights({ decide }: AdmissionContext): Rights {
  const answers = new Map<string, ReturnType<Ask>>();
  return {
    ask(question) {
      const key = JSON.stringify(question);
      const known = answers.get(key);
      if (known) return known;
      const decision = decide(question);
      if (!(decision instanceof Promise)) return decision;
      throw new Unanswered(decision.then((answer) => void answers.set(key, answer)));
    },
    async settle(run) {
      for (;;) {
        try {
          return run();
        } catch (error) {
          if (!(error instanceof Unanswered)) throw error;
          await error.answer;
        }
      }
    },
  };
}
