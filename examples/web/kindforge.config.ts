/** A shop with a web page: `npm run build` makes the page, and the same server serves it and the API. */
import { defineConfig } from 'kindforge/config';

export default defineConfig({
  naming: 'kubernetes',
  static: 'dist',
  serve: { storage: 'memory' },
});
