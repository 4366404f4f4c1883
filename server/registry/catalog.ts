/** The frozen catalogue: every capability and every method of 0.1, each listed once (spec §2). */

import { animationCelebrate } from './capabilities/animation.celebrate.ts';
import { animationFail } from './capabilities/animation.fail.ts';
import { animationGreet } from './capabilities/animation.greet.ts';
import { animationSleep } from './capabilities/animation.sleep.ts';
import { animationThink } from './capabilities/animation.think.ts';
import { animationWait } from './capabilities/animation.wait.ts';
import { animationWork } from './capabilities/animation.work.ts';
import { interactionAsk } from './capabilities/interaction.ask.ts';
import { interactionChoose } from './capabilities/interaction.choose.ts';
import { noticeShow } from './capabilities/notice.show.ts';
import { progressShow } from './capabilities/progress.show.ts';
import { vendorChoices } from './capabilities/vendor.internal.companion.choices.ts';
import { vendorForm } from './capabilities/vendor.internal.companion.form.ts';
import type { AnyCapability, Method } from './define.ts';
import { authRevokeSelf } from './methods/auth.revokeSelf.ts';
import { capabilitiesDescribe } from './methods/capabilities.describe.ts';
import { capabilitiesList } from './methods/capabilities.list.ts';
import { charactersList } from './methods/characters.list.ts';
import { pairingRequest } from './methods/pairing.request.ts';
import { pairingWait } from './methods/pairing.wait.ts';
import { requestsCancel } from './methods/requests.cancel.ts';
import { requestsCreate } from './methods/requests.create.ts';
import { requestsGet } from './methods/requests.get.ts';
import { requestsUpdate } from './methods/requests.update.ts';
import { requestsWait } from './methods/requests.wait.ts';
import { rpcDiscover } from './methods/rpc.discover.ts';
import { runtimeDescribe } from './methods/runtime.describe.ts';
import { stylesList } from './methods/styles.list.ts';
import { vendorControl } from './methods/vendor.internal.companion.control.ts';
import { vendorHook } from './methods/vendor.internal.companion.hook.ts';

export const CAPABILITIES: readonly AnyCapability[] = Object.freeze([
  animationGreet,
  animationCelebrate,
  animationWork,
  animationThink,
  animationWait,
  animationFail,
  animationSleep,
  noticeShow,
  progressShow,
  interactionChoose,
  interactionAsk,
  vendorChoices,
  vendorForm,
]);

/** IDs of those a character needs a clip of its own for. */
export const MAPPED_IDS: readonly string[] = CAPABILITIES.filter(({ characters }) => characters === 'mapped').map(
  ({ id }) => id,
);

/** Methods by their name; the handler map of the runtime is typed by this value, so none can be missing or surplus. */
export const METHODS = Object.freeze({
  [runtimeDescribe.name]: runtimeDescribe,
  [rpcDiscover.name]: rpcDiscover,
  [charactersList.name]: charactersList,
  [capabilitiesList.name]: capabilitiesList,
  [capabilitiesDescribe.name]: capabilitiesDescribe,
  [stylesList.name]: stylesList,
  [requestsCreate.name]: requestsCreate,
  [requestsGet.name]: requestsGet,
  [requestsWait.name]: requestsWait,
  [requestsCancel.name]: requestsCancel,
  [requestsUpdate.name]: requestsUpdate,
  [pairingRequest.name]: pairingRequest,
  [pairingWait.name]: pairingWait,
  [authRevokeSelf.name]: authRevokeSelf,
  [vendorControl.name]: vendorControl,
  [vendorHook.name]: vendorHook,
});
export type Methods = typeof METHODS;
export type MethodName = keyof Methods;

const byId = new Map(CAPABILITIES.map((capability) => [capability.id, capability]));

/** The capability of that exact ID, or undefined. */
export const findCapability = (id: string): AnyCapability | undefined => byId.get(id);

/** The method of that exact name, or undefined; own properties only, so `constructor` is none. */
export const findMethod = (name: string): Method | undefined =>
  Object.hasOwn(METHODS, name) ? (METHODS[name as MethodName] as unknown as Method) : undefined;
