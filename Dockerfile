# The library with TRL and SWI-Prolog. For CPUs:
#   docker build -t logic-curriculum .
#   docker run logic-curriculum generate slr --level 3 --show
# For GPUs, with the CUDA image that TRL's own is made from, in the version of constraints.txt:
#   docker build -t logic-curriculum --build-arg BASE=pytorch/pytorch:2.13.0-cuda13.0-cudnn9-devel .
#   docker run --gpus all -v "$PWD/runs:/workspace/runs" logic-curriculum \
#       train slr --accelerate single_gpu --config qwen2.5-1.5b --use_vllm false
ARG BASE=python:3.12-slim
FROM $BASE
# The Python of some images belongs to the system, and pip has to be told that this is meant.
ENV PIP_BREAK_SYSTEM_PACKAGES=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore
COPY scripts/install_swipl.sh /opt/
RUN sh /opt/install_swipl.sh && rm -rf /var/lib/apt/lists/*
WORKDIR /opt/logic-curriculum
COPY constraints.txt .
# Without this, pip would bring CUDA's libraries to a machine that has no GPU.
RUN pip show -q torch || pip install -c constraints.txt torch --index-url https://download.pytorch.org/whl/cpu
COPY . .
RUN pip install -c constraints.txt ".[train,inspect,llm,plots]"
WORKDIR /workspace
ENTRYPOINT ["logic-curriculum"]
