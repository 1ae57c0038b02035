/** The stage that refuses to create objects of a definition that is being deleted. */
import type { Failure } from '../../contract/index.js';
import type { Attempt } from '../attempt.js';
import { terminating } from '../preconditions.js';

export const refuseWhileTerminating = ({ write }: Attempt): Failure | undefined =>
  write.resource.defined?.terminating() ? terminating(write) : undefined;
