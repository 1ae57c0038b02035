/** The configuration of the sites: their kind, and the controller that publishes them. */
import { defineConfig } from 'kindforge/config';
import sites from './site.js';

export default defineConfig({ naming: 'kubernetes', controllers: [sites] });
