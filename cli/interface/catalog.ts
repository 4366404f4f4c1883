/** Every capability of the NDJSON interface, each listed once: the 19 for packs, and those of the companion's own protocol. */
import { CAPABILITIES } from '../../server/registry/catalog.ts';
import { addRepo } from './capabilities/add_repo.ts';
import { createSubos } from './capabilities/create_subos.ts';
import { env } from './capabilities/env.ts';
import { installPackages } from './capabilities/install_packages.ts';
import { listInstalledVersions } from './capabilities/list_installed_versions.ts';
import { listPackages } from './capabilities/list_packages.ts';
import { listRepos } from './capabilities/list_repos.ts';
import { listSubos } from './capabilities/list_subos.ts';
import { listSubosShims } from './capabilities/list_subos_shims.ts';
import { packageInfo } from './capabilities/package_info.ts';
import { planInstall } from './capabilities/plan_install.ts';
import { removePackage } from './capabilities/remove_package.ts';
import { removeRepo } from './capabilities/remove_repo.ts';
import { removeSubos } from './capabilities/remove_subos.ts';
import { searchPackages } from './capabilities/search_packages.ts';
import { switchSubos } from './capabilities/switch_subos.ts';
import { systemStatus } from './capabilities/system_status.ts';
import { updatePackages } from './capabilities/update_packages.ts';
import { useVersion } from './capabilities/use_version.ts';
import type { AnyNdjsonCapability } from './define.ts';
import { requestCapability } from './protocol/request-capability.ts';

export const NDJSON_CAPABILITIES: readonly AnyNdjsonCapability[] = Object.freeze([
  searchPackages,
  installPackages,
  planInstall,
  removePackage,
  updatePackages,
  listPackages,
  packageInfo,
  listInstalledVersions,
  useVersion,
  systemStatus,
  listSubos,
  listSubosShims,
  createSubos,
  switchSubos,
  removeSubos,
  env,
  listRepos,
  addRepo,
  removeRepo,
  ...CAPABILITIES.map(requestCapability),
]);

/** The capability of that exact name, or undefined. */
export const findNdjson = (name: string): AnyNdjsonCapability | undefined =>
  NDJSON_CAPABILITIES.find((capability) => capability.name === name);
