/** Every command by its words, in the order help shows them. Each is loaded when it is called: most of them never are. */
import type { Command, NamedCommand } from './command.ts';
import { readCommand } from './commands/read.ts';

const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./commands/serve.ts')).serve,
  open: async () => (await import('./commands/open.ts')).open,
  pair: async () => (await import('./commands/pair.ts')).pair,
  unpair: async () => (await import('./commands/unpair.ts')).unpair,
  notify: async () => (await import('./commands/notify.ts')).notify,
  'notify-send': async () => (await import('./commands/notify-send.ts')).notifySend,
  ask: async () => (await import('./commands/ask.ts')).ask,
  'progress start': async () => (await import('./commands/progress/start.ts')).progressStart,
  'progress update': async () => (await import('./commands/progress/update.ts')).progressUpdate,
  'progress done': async () => (await import('./commands/progress/done.ts')).progressDone,
  'progress fail': async () => (await import('./commands/progress/fail.ts')).progressFail,
  watch: async () => (await import('./commands/watch.ts')).watch,
  run: async () => (await import('./commands/run.ts')).run,
  play: async () => (await import('./commands/play.ts')).play,
  'runtime describe': async () => (await import('./commands/runtime/describe.ts')).runtimeDescribe,
  'characters list': async () => readCommand('characters.list'),
  'characters use': async () => (await import('./commands/characters/use.ts')).charactersUse,
  'characters show': async () => (await import('./commands/characters/show.ts')).charactersShow,
  'characters import': async () => (await import('./commands/characters/import.ts')).charactersImport,
  'characters follow': async () => (await import('./commands/characters/follow.ts')).charactersFollow,
  'characters unfollow': async () => (await import('./commands/characters/unfollow.ts')).charactersUnfollow,
  'capabilities list': async () => readCommand('capabilities.list'),
  'capabilities describe': async () => (await import('./commands/capabilities/describe.ts')).capabilitiesDescribe,
  'styles list': async () => readCommand('styles.list'),
  'requests create': async () => (await import('./commands/requests/create.ts')).requestsCreate,
  'requests get': async () => (await import('./commands/requests/get.ts')).requestsGet,
  'requests wait': async () => (await import('./commands/requests/wait.ts')).requestsWait,
  'requests cancel': async () => (await import('./commands/requests/cancel.ts')).requestsCancel,
  'requests update': async () => (await import('./commands/requests/update.ts')).requestsUpdate,
  show: async () => (await import('./commands/control.ts')).show,
  hide: async () => (await import('./commands/control.ts')).hide,
  pause: async () => (await import('./commands/control.ts')).pause,
  resume: async () => (await import('./commands/control.ts')).resume,
  dnd: async () => (await import('./commands/control.ts')).dnd,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  'autostart enable': async () => (await import('./commands/autostart/enable.ts')).autostartEnable,
  'autostart disable': async () => (await import('./commands/autostart/disable.ts')).autostartDisable,
  'autostart status': async () => (await import('./commands/autostart/status.ts')).autostartStatus,
  'launcher add': async () => (await import('./commands/launcher/add.ts')).launcherAdd,
  'launcher remove': async () => (await import('./commands/launcher/remove.ts')).launcherRemove,
  'launcher status': async () => (await import('./commands/launcher/status.ts')).launcherStatus,
  'packs index': async () => (await import('./commands/packs/index.ts')).packsIndex,
  'mcp install': async () => (await import('./commands/mcp/install.ts')).mcpInstall,
  'mcp remove': async () => (await import('./commands/mcp/remove.ts')).mcpRemove,
  'mcp status': async () => (await import('./commands/mcp/status.ts')).mcpStatus,
  'hooks install': async () => (await import('./commands/hooks/install.ts')).hooksInstall,
  'hooks remove': async () => (await import('./commands/hooks/remove.ts')).hooksRemove,
  'hooks status': async () => (await import('./commands/hooks/status.ts')).hooksStatus,
  // After its verbs: the first name that the words begin with is taken.
  mcp: async () => (await import('./commands/mcp/serve.ts')).mcp,
  interface: async () => (await import('./commands/interface.ts')).interfaceDoor,
  completions: async () => (await import('./commands/completions.ts')).completions,
  man: async () => (await import('./commands/man.ts')).man,
  'bridge notifications': async () => (await import('./commands/bridge/notifications.ts')).bridgeNotifications,
  hook: async () => (await import('./commands/hook.ts')).hook,
  'rpc discover': async () => (await import('./commands/rpc/discover.ts')).rpcDiscover,
};

/** The words of every command. */
export const COMMAND_NAMES: readonly string[] = Object.keys(COMMANDS);

/** The command called by `name`, which must be one of COMMAND_NAMES. */
export const loadCommand = async (name: string): Promise<NamedCommand> => ({ name, ...(await COMMANDS[name]!()) });
