# `make help` lists the targets. Each sets up what it needs.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

.PHONY: setup model serve demo transfer test test-slow test-oldest check format bench shortcuts docs clean
.DEFAULT_GOAL := help

help:            ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*##/\t/' | expand -t 14

setup: $(READY)  ## SWI-Prolog, the virtual environment and the package with tested pins

$(READY): pyproject.toml constraints.txt scripts/install_swipl.sh
	@echo "1 of 2: SWI-Prolog, if it is not there"
	sh scripts/install_swipl.sh || echo "Continuing without it: only the paper's score of SLR needs it."
	$(PYTHON) -m venv $(VENV)
	@echo "2 of 2: torch, TRL and the other packages; without a cache this takes minutes"
	$(BIN)/pip install --quiet -c constraints.txt -e ".[train,deepspeed,inspect,plots,bench,dev]"
	@touch $@

CORES := $(shell getconf _NPROCESSORS_ONLN)
# glibc keeps what a step frees, where it would ask the system for it again.
KEEP  := MALLOC_MMAP_THRESHOLD_=2147483647 MALLOC_TRIM_THRESHOLD_=2147483647
DEMO_DIR ?= runs/demo-$(shell date +%Y%m%d-%H%M%S)

demo: setup      ## watch a small language model climb a ladder of formulas (CPU, minutes)
	$(KEEP) OMP_WAIT_POLICY=passive PYTHONWARNINGS=ignore::FutureWarning \
		$(BIN)/accelerate launch --config_file accelerate_configs/cpu.yaml \
		--num_cpu_threads_per_process $(CORES) recipes/grpo_slr.py \
		--config recipes/configs/grpo_logicskills/symbolization.yaml \
		--output_dir $(DEMO_DIR) $(ARGS)

model: setup     ## a pretrained model of 135M parameters: prints the folder it is in
	@$(BIN)/python -m logic_curriculum.curriculum.models.pretrained

PORT ?= 8000

serve: model     ## that model behind an OpenAI-compatible endpoint, on PORT (8000)
	$(BIN)/pip install --quiet -c constraints.txt -e ".[llm]" "transformers[serving]"
	$(BIN)/transformers serve --device cpu --dtype float32 --port $(PORT) \
		"$$($(BIN)/python -m logic_curriculum.curriculum.models.pretrained)"

TRANSFER_DIR ?= runs/transfer-$(shell date +%Y%m%d-%H%M%S)

transfer: setup  ## does one skill help another? LoRA adapters, evaluated on all (CPU, minutes)
	$(KEEP) OMP_WAIT_POLICY=passive PYTHONWARNINGS=ignore::FutureWarning \
		$(BIN)/accelerate launch --config_file accelerate_configs/cpu.yaml \
		--num_cpu_threads_per_process $(CORES) recipes/peft_transfer.py \
		--output_dir $(TRANSFER_DIR) $(ARGS)

test: setup      ## the default tests, a process on each core
	OMP_NUM_THREADS=1 $(BIN)/pytest -n $(CORES) --dist loadfile --no-loadscope-reorder $(ARGS)

test-slow: setup ## the long tests too, ZeRO-3 on two CPU processes among them
	$(BIN)/pip install --quiet -c constraints.txt -e ".[docs,downstream,play,openenv]"
	$(BIN)/pytest -m slow $(ARGS)

OLDEST := .venv-oldest

test-oldest:     ## the trainers' tests on the oldest TRL that they pass with
	sh scripts/install_swipl.sh
	$(PYTHON) -m venv $(OLDEST)
	$(OLDEST)/bin/pip install --quiet -c constraints-oldest.txt -e ".[train,plots,dev]"
	OMP_NUM_THREADS=1 $(OLDEST)/bin/pytest -n $(CORES) --dist loadfile $(ARGS) \
		tests/curriculum/test_trainers.py tests/curriculum/test_held_out.py \
		tests/curriculum/test_plain_grpo.py tests/curriculum/test_public_interface.py \
		tests/curriculum/test_sft_gate.py tests/curriculum/test_thinking.py

docs: setup      ## the documentation as a site, in the folder site
	$(BIN)/pip install --quiet -c constraints.txt -e ".[docs]"
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet

check: setup     ## format, lint, types and size, changing nothing
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python scripts/budget.py

format: setup    ## apply the formatter and the linter's fixes
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: setup     ## how fast tasks are made and judged (two quiet cores, minutes)
	$(BIN)/python benchmarks/speed.py $(ARGS)

shortcuts: setup ## what cheap strategies earn, family by family (an hour)
	for name in slr logicskills loginum sat; do \
		$(BIN)/python benchmarks/shortcuts/$$name.py $(ARGS) || exit 1; done

clean:           ## remove the virtual environment and the run folders
	rm -rf $(VENV) $(OLDEST) runs
