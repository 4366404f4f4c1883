/** What the file of the session bus gives out. */
export { bridgeNotifications } from './run.ts';
