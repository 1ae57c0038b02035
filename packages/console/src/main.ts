/** Starts the console in its page. */
import { mount } from 'svelte';
import './design/tokens.css';
import './design/base.css';
import App from './app/App.svelte';

const target = document.getElementById('app');
if (target) mount(App, { target });
