/** The steps of an installation that several capabilities share. */
import { type InstallPlan, PackError, toCoordinate } from '../../../server/packs/types.ts';
import type { Conversation, World } from '../define.ts';
import { DownloadReport } from './download-report.ts';

export interface Installed {
  /** Coordinates. */
  readonly installed: readonly string[];
  readonly failed: readonly string[];
}

/** How a plan goes over the wire: coordinate and name. */
export const planPayload = ({ packs }: InstallPlan): { readonly packages: readonly (readonly [string, string])[] } => ({
  packages: packs.map(({ id, version, displayName }) => [toCoordinate(id, version), displayName]),
});

/** Size of what would be downloaded, in words. */
export function sizeOf({ packs }: InstallPlan): string {
  const bytes = packs.reduce((total, { size }) => total + size, 0);
  return bytes < 100_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/**
 * Installs what is planned, with everything that is told meanwhile. What fails is told and harms nothing else. Errors: those that
 * end it as a whole, E_CANCELLED among them.
 */
export async function installPlanned(
  plan: InstallPlan,
  use: boolean,
  conversation: Conversation,
  world: World,
): Promise<Installed> {
  const report = new DownloadReport(conversation, world.clock, plan.packs.length);
  const failed: string[] = [];
  const { signal } = conversation;
  try {
    const installed = await world.library().install(
      plan,
      { use },
      {
        signal,
        unpaused: () => conversation.unpaused(),
        onDownloads: (files) => report.update(files),
        onPack: (coordinate, error) => {
          if (error !== null && error.code !== 'E_CANCELLED') conversation.error(named(coordinate, error));
          if (error !== null) failed.push(coordinate);
          report.packEnded(coordinate);
        },
      },
    );
    report.end();
    conversation.data('install_summary', { success: installed.length, failed: failed.length });
    return { installed: installed.map(({ id, version }) => toCoordinate(id, version)), failed };
  } catch (error) {
    report.end();
    throw error;
  }
}

/** The same, and about which pack: others go on. */
const named = (coordinate: string, { code, message, hint }: PackError): PackError =>
  new PackError(code, `[${coordinate}] failed: ${message}`, hint);
