/** The configuration of a shop: its additions to the server, and the settings of the server. */
import { defineConfig } from 'kindforge/config';
import { defineStock } from '../admission/stock.js';
import { defineTeams } from '../authorization/teams.js';
import maker from '../controllers/maker.js';
import { referencePages } from '../emitters/reference-pages.js';
import { widgets } from '../handlers/widgets.js';

export default defineConfig({
  schemas: '../shop/schemas',
  naming: 'kubernetes',
  emitters: [referencePages],
  handlers: [widgets],
  admissionPlugins: [defineStock()],
  authorizers: [defineTeams({ prefix: 'team:' })],
  controllers: [maker],
  serve: {
    'http-port': 8080,
    'allow-everyone': true,
    storage: 'memory',
  },
});
