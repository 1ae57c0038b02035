/** A controller: a client of the API that acts on its objects. */
import type { ClientOptions } from '../client/index.js';

/** The arguments of a controller. */
export interface ControllerParts {
  readonly client: ClientOptions;
  /** Ends the controller. */
  readonly signal: AbortSignal;
  /** Called with errors that the controller survives. */
  readonly onError: (about: string, error: unknown) => void;
}

/** A controller by its name. */
export interface Controller {
  readonly name: string;
  /** Runs until the signal ends it. Rejects when it cannot go on; it is then started again. */
  run(parts: ControllerParts): Promise<void>;
}
