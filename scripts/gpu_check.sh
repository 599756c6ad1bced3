#!/bin/sh
# What a machine with GPUs runs first: every configuration for GPUs, a few steps each, on a small
# model; vLLM in the trainer's process and as a server; QLoRA, ZeRO and FSDP 2. Writes one page.
#
#   sh scripts/gpu_check.sh [--dry-run] [MODEL] [PAGE]
#
# MODEL is a folder or a name on the hub, by default what `make model` makes; PAGE is by default
# docs/results/gpu-check.md. Needs the extras train, deepspeed and vllm, and bitsandbytes.
set -u
cd "$(dirname "$0")/.." || exit 1
[ "${1:-}" = --dry-run ] && DRY=1 && shift
MODEL=${1:-$(python -m logic_curriculum.curriculum.models.pretrained)} || exit 1
PAGE=${2:-docs/results/gpu-check.md} STEPS=4
RUNS=${RUNS:-runs/gpu-check} DRY=${DRY:-} GPUS=2
if [ -z "$DRY" ]; then
    GPUS=$(nvidia-smi --list-gpus | wc -l)
    [ "$GPUS" -gt 0 ] && rm -rf "$RUNS" && mkdir -p "$RUNS" || exit 1
fi
COMMON="--model_name_or_path $MODEL --max_steps $STEPS --logging_steps 1 --save_strategy no \
--disable_tqdm true --report_to none"
GRPO="$COMMON --last_level 2 --eval_tasks 0 --max_completion_length 256 --vllm_max_model_length 2048"
SFT="$COMMON --last_level 3 --train_sizes 26 --judge_tasks 2 --judge_levels 2 --max_new_tokens 32"
SMALL="$COMMON --train_examples 64 --eval_tasks 2 --max_new_tokens 32"

# Print the memory of the GPU that uses most, in MiB.
used() {
    nvidia-smi --query-gpu=memory.used --format=csv,noheader,nounits | sort -n | tail -1
}

# Keep the most that was used in a file, until killed.
watch_memory() {
    while sleep 0.5; do
        now=$(used)
        [ "$now" -gt "$(cat "$1")" ] && echo "$now" >"$1"
    done
}

# Print the last value that a run's trainer logged for a key, or 0.
logged() {
    found=$(grep -rhso "\"$2\": [0-9.e+]*" --include=trainer_state.json --include=training.json "$1" | tail -1)
    echo "${found##* }" | grep . || echo 0
}

# check NAME COMMAND…: run a command and add its row.
check() {
    name=$1
    shift
    if [ -n "$DRY" ]; then
        echo "$*"
        return
    fi
    log=$RUNS/$name.log state=ok
    used >"$RUNS/memory"
    watch_memory "$RUNS/memory" &
    watcher=$!
    start=$(date +%s)
    timeout 1200 "$@" >"$log" 2>&1 || state="failed: $log"
    seconds=$(($(date +%s) - start))
    kill "$watcher"
    speed=$(awk "BEGIN {s = $(logged "$RUNS/$name" train_runtime); print s ? int($(logged "$RUNS/$name" num_tokens) / s) : \"-\"}")
    share=$(awk "BEGIN {s = $(logged "$RUNS/$name" step_time); print s ? int(100 * $(logged "$RUNS/$name" reward_time) / s) \"%\" : \"-\"}")
    gib=$(awk '{printf "%.1f", $1 / 1024}' "$RUNS/memory")
    echo "| $name | $state | $seconds | $speed | $share | $gib |" >>"$RUNS/rows"
}

# on HARDWARE PROCESSES SCRIPT RECIPE/CONFIG OPTIONS…: a recipe by accelerate.
on() {
    hardware=$1 count=$2 script=$3 config=$4
    shift 4
    name=$(echo "$config-$hardware" | tr / -)
    check "$name" accelerate launch --config_file "accelerate_configs/$hardware.yaml" --num_processes "$count" \
        "recipes/$script.py" --config "recipes/configs/$config.yaml" "$@" --output_dir "$RUNS/$name"
}

# shellcheck disable=SC2086
{
    for config in grpo_slr/qwen2.5-1.5b grpo_logicskills/llama3.2-3b grpo_loginum/qwen3-1.7b grpo_sat/qwen3-1.7b; do
        on single_gpu 1 grpo_slr $config $GRPO
    done
    on single_gpu 1 sft_slr sft_slr/llama3.1-8b-qlora $SFT
    for config in sft_loginum/llama3.2-1b sft_loginum/qwen3-1.7b; do
        on single_gpu 1 sft_loginum $config $SMALL --eval_presets EL-EN --shots 0
    done
    on single_gpu 1 peft_transfer peft_transfer/llama3.2-3b $SMALL --adapters symbolization
    for hardware in zero2 zero3 fsdp2 multi_gpu; do
        on $hardware "$GPUS" sft_slr sft_slr/llama3.1-8b-paper $SFT
    done
    if [ "$GPUS" -gt 1 ]; then # the last one serves
        serve="trl vllm-serve --model $MODEL --max-model-len 2048"
        if [ -n "$DRY" ]; then echo "$serve"; else
            CUDA_VISIBLE_DEVICES=$((GPUS - 1)) $serve >$RUNS/server.log 2>&1 &
        fi
        on multi_gpu $((GPUS - 1)) grpo_slr grpo_slr/llama3.1-8b $GRPO
        [ -n "$DRY" ] || kill $!
    fi
    check evaluate-vllm inspect eval logic_curriculum/logic --model "vllm/$MODEL" --max-tokens 64 \
        -T family=slr -T levels=1,2 -T tasks_per_level=8 --log-dir $RUNS/evaluate-vllm
}
[ -n "$DRY" ] && exit
{
    printf '# First run on GPUs\n\n| | |\n|:---|:---|\n| command | `sh scripts/gpu_check.sh %s` |\n' "$MODEL"
    echo "| commit, date | $(git rev-parse --short HEAD), $(date +%F) |"
    echo "| hardware | $GPUS × $(nvidia-smi --query-gpu=name --format=csv,noheader | head -1) |"
    printf '\n%s steps each. Memory in GiB: what programs hold of the GPU that is fullest, which PyTorch\nlets grow beyond what a step needs.\n\n' "$STEPS"
    echo "| run | outcome | seconds | tokens a second | reward's share of a step | memory |"
    echo "|:---|:---|---:|---:|---:|---:|"
    cat "$RUNS/rows"
} >"$PAGE"
echo "The page is $PAGE; the logs are in $RUNS."
