// The page: what is shown, in which colours, and one view at a time.
import { useCallback, useEffect, useState, type ReactNode } from "react";
import { parseAddress, writeAddress, type Address } from "./address";
import { ask } from "./api";
import { KernelView } from "./kernel/kernel";
import { LoopView } from "./loop/loop";
import { ProgramView } from "./program/program";
import { StudyView } from "./study/study";
import { TalkView } from "./talk/talk";
import { TrainView } from "./train/train";
import { TuneView } from "./tune/tune";
import { TrialView } from "./trial/trial";
import { Failure, Guard, useAnswer } from "./ui/pieces";

interface About {
  version: string;
  views: { kind: string; title: string }[];
}

const kNames: Record<string, string> = {
  program: "Program",
  study: "Study",
  trial: "Run time",
  talk: "Agent",
  loop: "Loop",
  tune: "Tuning",
  train: "Training",
  kernel: "Kernel",
};

/** The address behind the '#', and a way to another one; `replace` leaves no step to come back to. */
function useAddress(): [Address, (to: Address, replace?: boolean) => void] {
  const [address, set] = useState(() => parseAddress(location.hash));
  useEffect(() => {
    const look = () => set(parseAddress(location.hash));
    addEventListener("popstate", look);
    addEventListener("hashchange", look);
    return () => {
      removeEventListener("popstate", look);
      removeEventListener("hashchange", look);
    };
  }, []);
  const go = useCallback((to: Address, replace = false) => {
    history[replace ? "replaceState" : "pushState"](null, "", writeAddress(to));
    set(to);
  }, []);
  return [address, go];
}

function Theme() {
  const [theme, set] = useState(() => localStorage.getItem("ordo-theme") ?? "system");
  useEffect(() => {
    localStorage.setItem("ordo-theme", theme);
    document.documentElement.style.colorScheme = theme === "system" ? "light dark" : theme;
  }, [theme]);
  return (
    <label className="theme">
      <span className="unseen">Colours</span>
      <select value={theme} onChange={(event) => set(event.target.value)}>
        <option value="system">System</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  );
}

export function App() {
  const about = useAnswer<About>("about", (signal) => ask("about", undefined, signal));
  const [address, go] = useAddress();
  const views = about.value?.views ?? [];
  const view = views.find(({ kind }) => kind === address.view) ?? views[0];
  useEffect(() => {
    document.title = view ? `${view.title} · Ordo` : "Ordo";
  }, [view]);
  const version = about.value?.version ?? "";
  const contents: Record<string, () => ReactNode> = {
    program: () => <ProgramView address={address} go={go} version={version} />,
    study: () => <StudyView />,
    trial: () => <TrialView />,
    talk: () => <TalkView />,
    loop: () => <LoopView />,
    tune: () => <TuneView />,
    train: () => <TrainView />,
    kernel: () => <KernelView />,
  };
  return (
    <>
      <a
        className="skip"
        href="#main"
        onClick={(event) => (event.preventDefault(), document.getElementById("main")?.focus())}
      >
        Skip to the content
      </a>
      <header className="top">
        <span className="brand">Ordo</span>
        <nav aria-label="Views">
          {views.map(({ kind, title }) => (
            <a
              key={kind}
              href={`#/${kind}`}
              aria-current={kind === view?.kind ? "page" : undefined}
              title={title}
              onClick={(event) => {
                event.preventDefault();
                if (kind !== view?.kind) go(parseAddress(`#/${kind}`));
              }}
            >
              {kNames[kind]}
            </a>
          ))}
        </nav>
        <Theme />
      </header>
      <main id="main" tabIndex={-1}>
        <Failure error={about.error} />
        {view && <Guard key={view.kind}>{contents[view.kind]?.()}</Guard>}
      </main>
    </>
  );
}
