/** A controller: a client of the API that makes true what objects say. */
import type { ClientOptions } from '../client/index.js';

/** What a controller is run with. */
export interface ControllerParts {
  readonly client: ClientOptions;
  /** Ends the controller. */
  readonly signal: AbortSignal;
  /** Told of what went wrong while it goes on. */
  readonly onError: (about: string, error: unknown) => void;
}

/** A controller by its name. */
export interface Controller {
  readonly name: string;
  /** Runs until the signal ends it. Rejects when it cannot go on; it is then started again. */
  run(parts: ControllerParts): Promise<void>;
}
