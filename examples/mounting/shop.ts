/** The server that the other examples of this folder mount: widgets in memory, for Anna of the team `front`. */
import { randomBytes } from 'node:crypto';
import type { StartOptions } from 'kindforge/server';
import { definePasswords, passwordLine } from '../authentication/passwords.js';
import { defineTeams } from '../authorization/teams.js';

const anna = await passwordLine('anna', 'secret', randomBytes(16), 'team-front');

export const shopOptions: StartOptions = {
  naming: 'kubernetes',
  schemas: 'examples/shop/schemas',
  kinds: [],
  authentication: { authenticators: [definePasswords(anna)] },
  authorization: { authorizer: defineTeams({ prefix: 'team-' }) },
};

/** The port to listen on: the first argument, or 8080. */
export const port = Number(process.argv[2] ?? 8080);
