#!/usr/bin/env python3
"""Holds what deploy/ has for others' engines against schemas, against our programs, and against itself.

    manifests.py BUILD      (Debian: python3-jsonschema, python3-yaml)

Kubernetes: each overlay is put together as kustomize would (resources, components, images, replicas, JSON patches), each
document is held against deploy/kubernetes/schema, then our own rules. Container files: what is copied exists. Everywhere:
each flag that is given to one of our programs stands in its --help.
"""
import copy
import functools
import json
import pathlib
import re
import subprocess
import sys

import jsonschema
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
KUBERNETES = ROOT / "deploy/kubernetes"
problems = []


def say(where, what):
    problems.append(f"{where}: {what}")


@functools.lru_cache(maxsize=None)
def flags(build, program):
    text = subprocess.run([f"{build}/{program}", "--help"], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"--[a-z][a-z0-9-]*", text))


def check_flags(build, program, words, where):
    for word in words:
        name = str(word).split("=")[0]
        if name.startswith("--") and name != "--" and name not in flags(build, program):
            say(where, f"{program} has no {name}")


# --- Kubernetes ---

def load_schemas():
    kinds, defs = {}, {}
    for path in sorted((KUBERNETES / "schema").glob("*.json")):
        schema = json.loads(path.read_text())
        kinds.update(schema["kinds"])
        defs.update(schema["$defs"])
    return {k: jsonschema.Draft202012Validator({**v, "$defs": defs}) for k, v in kinds.items()}


def validate(schemas, document, where):
    key = "Kustomization" if document.get("kind") in ("Kustomization", "Component") else \
        f"{document.get('apiVersion')}/{document.get('kind')}"
    if key not in schemas:
        return say(where, f"no schema of {key}")
    for error in schemas[key].iter_errors(document):
        say(where, f"{key} {'/'.join(map(str, error.absolute_path))}: {error.message[:200]}")


def patch(document, operations, where):
    """JSON patches of the kind `replace`, where what is replaced exists."""
    for op in operations:
        at, (*steps, last) = document, [int(s) if s.isdigit() else s for s in op["path"].strip("/").split("/")]
        try:
            for step in steps:
                at = at[step]
            at[last]  # must be there
        except (KeyError, IndexError, TypeError):
            say(where, f"the patch of {op['path']} finds nothing")
            continue
        if op["op"] != "replace":
            say(where, f"{op['op']} is not checked here; only replace is")
        at[last] = op["value"]


def render(folder, schemas):
    where = str(folder.relative_to(ROOT))
    k = yaml.safe_load((folder / "kustomization.yaml").read_text())
    validate(schemas, k, where)
    documents = []
    for name in k.get("resources", []):
        path = (folder / name).resolve()
        if path.is_dir():
            documents += render(path, schemas)
        elif path.is_file():
            documents += [d for d in yaml.safe_load_all(path.read_text()) if d]
        else:
            say(where, f"{name} is not there")
    parts = [(k, where)]
    for name in k.get("components", []):
        component = (folder / name).resolve()
        documents += render(component, schemas)
        parts.append((yaml.safe_load((component / "kustomization.yaml").read_text()), where))
    for part, of in parts:
        transform(documents, part, of)
    return documents


def find(documents, kind, name):
    return [d for d in documents if d["metadata"]["name"] == name and (kind is None or d["kind"] == kind)]


def transform(documents, k, where):
    whole = any(d["kind"] == "Deployment" for d in documents)  # a component alone has nothing to patch
    for p in k.get("patches", []) if whole else []:
        found = find(documents, p["target"]["kind"], p["target"]["name"])
        if not found:
            say(where, f"a patch is for {p['target']}, which is not there")
        for document in found:
            patch(document, yaml.safe_load(p["patch"]), where)
    for r in k.get("replicas", []):
        found = find(documents, "Deployment", r["name"])
        if not found:
            say(where, f"replicas: no Deployment {r['name']}")
        for document in found:
            document["spec"]["replicas"] = r["count"]
    tags = {i["name"]: i["newTag"] for i in k.get("images", [])}
    for document in documents:
        for container in (pod_of(document) or {}).get("containers", []):
            if container["image"] in tags:
                container["image"] += ":" + tags[container["image"]]


def pod_of(document):
    spec = document.get("spec", {})
    return spec.get("template", spec.get("jobTargetRef", {}).get("template", {})).get("spec")


def mebibytes(text):
    number, unit = re.fullmatch(r"(\d+)(Mi|Gi|Ti)", text).groups()
    return int(number) * {"Mi": 1, "Gi": 1024, "Ti": 1024 * 1024}[unit]


def argument(container, name):
    return next((a.split("=", 1)[1] for a in container["args"] if a.startswith(name + "=")), "")


def check_worker(pod, container, where):
    slots, drain = int(argument(container, "--slots")), int(argument(container, "--drain-for"))
    if mebibytes(container["resources"]["limits"]["memory"]) != slots * 2048 + 256:
        say(where, "the memory limit is not slots x 2 GiB + 256 MiB")
    if pod["terminationGracePeriodSeconds"] != drain + 60:
        say(where, "the grace period is not the drain time and a minute")
    state = next(v for v in pod["volumes"] if v["name"] == "state")
    if mebibytes(state["emptyDir"]["sizeLimit"]) <= int(argument(container, "--cache-bytes")[:-3] or 0) * 1024:
        say(where, "the cache may grow beyond its volume")


def check_container(documents, pod, container, build, where):
    program = container["image"].split(":")[0]
    check_flags(build, program, container["args"], where)
    if not re.search(r":[0-9][0-9.]*$", container["image"]):
        say(where, f"image {container['image']} is not pinned")
    security = container["securityContext"]
    if security["allowPrivilegeEscalation"] or not security["readOnlyRootFilesystem"] or security["capabilities"] != {"drop": ["ALL"]}:
        say(where, "the container is not confined")
    if "memory" not in container["resources"]["limits"]:
        say(where, "no limit of memory")
    volumes, mounts = {v["name"] for v in pod["volumes"]}, {m["name"] for m in container["volumeMounts"]}
    if volumes != mounts:
        say(where, f"volumes and mounts differ: {volumes ^ mounts}")
    claims = {v["persistentVolumeClaim"]["claimName"] for v in pod["volumes"] if "persistentVolumeClaim" in v}
    for claim in claims:
        if not find(documents, "PersistentVolumeClaim", claim):
            say(where, f"no claim {claim}")
    if program == "vivace-worker":
        check_worker(pod, container, where)
    elif {container.get(p, {}).get("httpGet", {}).get("path") for p in ("readinessProbe", "livenessProbe")} != {"/readyz", "/healthz"}:
        say(where, "readiness is /readyz, liveness /healthz")


def check_overlay(name, documents, schemas, build):
    for document in documents:
        where = f"{name}: {document['kind']} {document['metadata']['name']}"
        validate(schemas, document, where)
        pod = pod_of(document)
        if pod:
            if not pod["securityContext"].get("runAsNonRoot") or pod.get("automountServiceAccountToken") is not False or \
                    pod["securityContext"].get("seccompProfile") != {"type": "RuntimeDefault"}:
                say(where, "the pod is not confined")
            for container in pod["containers"]:
                check_container(documents, pod, container, build, where)
        if document["kind"] == "Service":
            check_service(documents, document, where)
        if document["kind"] == "ScaledObject" and not find(documents, "Deployment", document["spec"]["scaleTargetRef"]["name"]):
            say(where, "scales what is not there")
        for trigger in document.get("spec", {}).get("triggers", []):
            if not find(documents, "TriggerAuthentication", trigger["authenticationRef"]["name"]):
                say(where, "no such TriggerAuthentication")
    both = [d for d in documents if d["kind"] == "ScaledJob"] and any(
        d["kind"] == "Deployment" and d["metadata"]["name"] == "vivace-worker" and d["spec"]["replicas"] for d in documents)
    if both:
        say(name, "workers both as a Deployment and as Jobs")


def check_service(documents, service, where):
    selector, ports = service["spec"]["selector"], {p.get("targetPort") for p in service["spec"]["ports"]}
    pods = [d for d in documents if d["kind"] == "Deployment" and selector.items() <= d["spec"]["template"]["metadata"]["labels"].items()]
    named = {p["name"] for d in pods for c in pod_of(d)["containers"] for p in c.get("ports", [])}
    if not pods or not ports <= named:
        say(where, f"selects no pod with ports {ports}")
    for ingress in (d for d in documents if d["kind"] == "Ingress"):
        for path in (p for r in ingress["spec"]["rules"] for p in r["http"]["paths"]):
            if path["backend"]["service"]["name"] != service["metadata"]["name"]:
                say(where, "the Ingress leads elsewhere")


def check_kubernetes(build):
    schemas = load_schemas()
    for path in sorted(p for p in (KUBERNETES / "overlays").iterdir() if p.is_dir()):
        check_overlay(path.name, render(path, schemas), schemas, build)
    # the other shape of scaling, on the base
    base, jobs = render(KUBERNETES / "base", schemas), render(KUBERNETES / "components/jobs", schemas)
    both = copy.deepcopy(base) + jobs
    transform(both, yaml.safe_load((KUBERNETES / "components/jobs/kustomization.yaml").read_text()), "components/jobs")
    transform(both, yaml.safe_load((KUBERNETES / "base/kustomization.yaml").read_text()), "base")
    check_overlay("base with jobs", both, schemas, build)


# --- Container files, units, scripts ---

def check_containers(build):
    path = ROOT / "deploy/container/Containerfile"
    text = path.read_text().replace("\\\n", " ")
    if re.search(r"^FROM\s+\S+/", text, re.M):
        say(path.name, "an image is named with a registry")
    for stage in re.split(r"^FROM ", text, flags=re.M)[1:]:
        if stage.split()[-1:] and "ENTRYPOINT" in stage:
            if not re.search(r"^USER [1-9]", stage, re.M):
                say(path.name, "a stage that runs is root's")
            words = json.loads(re.search(r"^ENTRYPOINT (.*)$", stage, re.M).group(1))
            check_flags(build, words[0].split("/")[-1], words[1:], path.name)
    for line in re.findall(r"^COPY (?!--from)(.*)$", text, re.M):
        for source in line.split()[:-1]:
            if not (ROOT / source).exists():
                say(path.name, f"{source} is not there")


def check_units(build):
    for path in sorted((ROOT / "deploy/systemd").glob("*.service")):
        for line in re.findall(r"^ExecStart=(.*)$", path.read_text(), re.M):
            words = line.split()
            check_flags(build, words[0].split("/")[-1], words[1:], path.name)
    section, known = None, {"server": "vivace-server", "worker": "vivace-worker"}
    for line in (ROOT / "deploy/systemd/vivace.conf").read_text().splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        match = re.match(r"#?([a-z-]+) = ", line)
        if match:
            check_flags(build, known[section], ["--" + match.group(1)], "vivace.conf")


def check_texts(build):
    """Commands in documents: vivace-server, vivace-worker and `vivace server|worker` with their flags."""
    for path in [ROOT / "docs/deployment.md", ROOT / "deploy/slurm/worker.sbatch"]:
        text = re.sub(r"\\\n(#\s*)?", " ", path.read_text()) if path.exists() else ""
        for program, rest in re.findall(r"\bvivace[- ](server|worker)((?:[ \t]+[^\s`#]+)+)", text):
            check_flags(build, f"vivace-{program}", rest.split(), path.name)


def main():
    build = str(pathlib.Path(sys.argv[1]).resolve())
    check_kubernetes(build)
    check_containers(build)
    check_units(build)
    check_texts(build)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


sys.exit(main())
