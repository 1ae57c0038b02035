/** The configuration of the project; every command of kindforge reads it. */
import { defineConfig } from 'kindforge/config';
import { provide } from './src/provide.js';

export default defineConfig({
  naming: 'kubernetes',
  controllers: [provide],
});
