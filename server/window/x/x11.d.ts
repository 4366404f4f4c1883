/** What this project uses of the package `x11`, which brings no types. */
declare module 'x11' {
  /** Gets the answer, or the X error the request met; returning true marks that error as dealt with. */
  export type Done<Answer> = (error: Error | null | undefined, answer: Answer) => unknown;

  export interface XEvent {
    readonly name: string;
    readonly wid: number;
    /** As it came. */
    readonly rawData: Buffer;
    readonly [field: string]: unknown;
  }

  export interface WindowValues {
    backgroundPixmap?: number;
    backgroundPixel?: number;
    borderPixel?: number;
    colormap?: number;
    overrideRedirect?: number;
    eventMask?: number;
  }

  export interface Geometry {
    readonly depth: number;
    readonly xPos: number;
    readonly yPos: number;
    readonly width: number;
    readonly height: number;
  }

  export interface Pointer {
    readonly child: number;
    readonly rootX: number;
    readonly rootY: number;
    readonly keyMask: number;
  }

  export interface XClient {
    atoms: Readonly<Record<string, number>>;
    on(event: 'event', listener: (event: XEvent) => void): this;
    on(event: 'error', listener: (error: Error) => void): this;
    on(event: 'end', listener: () => void): this;
    sync(done: (error: Error | null) => void): void;
    readonly stream: {
      readonly destroyed: boolean;
      on(event: 'close', listener: () => void): unknown;
      once(event: 'close', listener: () => void): unknown;
      destroy(): void;
    };
    readonly pack_stream: { flush(): void };
    terminate(): void;
    AllocID(): number;
    require(name: string, done: Done<unknown>): void;
    InternAtom(onlyIfExists: boolean, name: string, done: Done<number>): void;
    QueryExtension(name: string, done: Done<{ readonly present: number }>): void;
    CreateWindow(
      id: number,
      parent: number,
      x: number,
      y: number,
      width: number,
      height: number,
      borderWidth: number,
      depth: number,
      kind: number,
      visual: number,
      values: WindowValues,
    ): void;
    ChangeWindowAttributes(window: number, values: WindowValues): void;
    GetWindowAttributes(
      window: number,
      /** `klass` 2: it takes input and shows nothing. `mapState` 2: it and everything around it is mapped. */
      done: Done<{
        readonly visual: number;
        readonly klass: number;
        readonly mapState: number;
        readonly overrideRedirect: number;
      }>,
    ): void;
    GetGeometry(drawable: number, done: Done<Geometry>): void;
    ConfigureWindow(
      window: number,
      values: {
        x?: number;
        y?: number;
        width?: number;
        height?: number;
        borderWidth?: number;
        sibling?: number;
        stackMode?: number;
      },
    ): void;
    MoveResizeWindow(window: number, x: number, y: number, width: number, height: number): void;
    RaiseWindow(window: number): void;
    ClearArea(window: number, x: number, y: number, width: number, height: number, exposures: number): void;
    ReparentWindow(window: number, parent: number, x: number, y: number): void;
    MapWindow(window: number): void;
    UnmapWindow(window: number): void;
    DestroyWindow(window: number): void;
    QueryTree(
      window: number,
      done: Done<{ readonly root: number; readonly parent: number; readonly children: readonly number[] }>,
    ): void;
    TranslateCoordinates(
      from: number,
      to: number,
      x: number,
      y: number,
      done: Done<{ readonly child: number; readonly destX: number; readonly destY: number }>,
    ): void;
    QueryPointer(window: number, done: Done<Pointer>): void;
    ChangeProperty(
      mode: number,
      window: number,
      name: number,
      type: number,
      format: number,
      data: Buffer | string | readonly number[],
    ): void;
    DeleteProperty(window: number, name: number): void;
    GetProperty(
      remove: number,
      window: number,
      name: number,
      type: number,
      offset: number,
      length: number,
      done: Done<{ readonly type: number; readonly format: number; readonly data: Buffer }>,
    ): void;
    SendEvent(destination: number, propagate: number, mask: number, event: Buffer | Record<string, unknown>): void;
    SendClientMessage(
      destination: number,
      window: number,
      type: number,
      format: number,
      data: readonly number[],
      mask?: number,
    ): void;
    GetSelectionOwner(selection: number, done: Done<number>): void;
    SetInputFocus(window: number, revertTo: number, time?: number): void;
    GetInputFocus(done: Done<{ readonly focus: number; readonly revertTo: number }>): void;
    GetKeyboardMapping(first: number, count: number, done: Done<readonly (readonly number[])[]>): void;
    GetModifierMapping(done: Done<readonly (readonly number[])[]>): void;
    GrabKey(
      window: number,
      ownerEvents: number,
      modifiers: number,
      keycode: number,
      pointerMode: number,
      keyboardMode: number,
      done: Done<null>,
    ): void;
    UngrabKey(window: number, keycode: number, modifiers: number): void;
    GrabServer(): void;
    UngrabServer(): void;
    CreateColormap(id: number, window: number, visual: number, allocate: number): void;
    CreatePixmap(id: number, drawable: number, depth: number, width: number, height: number): void;
    FreePixmap(id: number): void;
    CreateGC(id: number, drawable: number, values: { graphicsExposures?: number }): void;
    FreeGC(id: number): void;
    PutImage(
      format: number,
      drawable: number,
      gc: number,
      width: number,
      height: number,
      x: number,
      y: number,
      leftPad: number,
      depth: number,
      data: Buffer,
    ): void;
    GetImage(
      format: number,
      drawable: number,
      x: number,
      y: number,
      width: number,
      height: number,
      planes: number,
      done: Done<{ readonly depth: number; readonly data: Buffer }>,
    ): void;
  }

  export interface XDisplay {
    readonly client: XClient;
    readonly screen: readonly {
      readonly root: number;
      readonly root_depth: number;
      /** By depth, then by visual ID. */
      readonly depths: Readonly<Record<string, Readonly<Record<string, { readonly class: number }>>>>;
    }[];
    readonly min_keycode: number;
    readonly max_keycode: number;
  }

  const x11: {
    readonly eventMask: Readonly<Record<string, number>>;
    createClient(
      options: { readonly display: string; readonly bufferRequests: boolean },
      done: (error: Error | null | undefined, display: XDisplay) => void,
    ): XClient;
  };
  // biome-ignore lint/style/noDefaultExport: the package has no other
  export default x11;
}
