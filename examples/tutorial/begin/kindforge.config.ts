/** The configuration of the project; every command of kindforge reads it. */
import { defineConfig } from 'kindforge/config';

export default defineConfig({
  naming: 'kubernetes',
});
