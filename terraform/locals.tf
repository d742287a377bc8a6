locals {
  region = join("-", slice(split("-", var.zone), 0, 2))
  labels = { "app" = var.name, "made-by" = "terraform" }

  # What one learner's Pod asks for (deploy/base/statefulset.yaml; a test holds the two together), and what a node
  # keeps for the cluster's own Pods.
  learner    = { cpu = 1.75, memory = 6 }
  node_needs = { cpu = 1.5, memory = 2 }

  # G2 machines: CPUs, memory in GiB, L4 GPUs.
  g2 = {
    g2-standard-4  = { cpu = 4, memory = 16, gpus = 1 }
    g2-standard-8  = { cpu = 8, memory = 32, gpus = 1 }
    g2-standard-12 = { cpu = 12, memory = 48, gpus = 1 }
    g2-standard-16 = { cpu = 16, memory = 64, gpus = 1 }
    g2-standard-24 = { cpu = 24, memory = 96, gpus = 2 }
    g2-standard-32 = { cpu = 32, memory = 128, gpus = 1 }
    g2-standard-48 = { cpu = 48, memory = 192, gpus = 4 }
    g2-standard-96 = { cpu = 96, memory = 384, gpus = 8 }
  }

  # How much memory GKE keeps of each: 25 % of the first 4 GiB, 20 % of the next 4, 10 % of the next 8,
  # 6 % of the next 112, 2 % of the rest.
  kept = {
    for name, machine in local.g2 : name => (
      0.25 * 4 + 0.20 * 4 + 0.10 * 8
      + 0.06 * min(machine.memory - 16, 112)
      + 0.02 * max(0, machine.memory - 128)
    )
  }

  # How many learners' Pods fit on each, and what runs out first.
  room = {
    for name, machine in local.g2 : name => {
      cpu    = floor((machine.cpu - local.node_needs.cpu) / local.learner.cpu)
      memory = floor((machine.memory - local.kept[name] - local.node_needs.memory) / local.learner.memory)
    }
  }

  gpus_per_node = local.g2[var.machine_type].gpus
  gpu_nodes     = ceil(var.learners / (var.learners_per_gpu * local.gpus_per_node))
  most_nodes    = 250
  is_shared     = var.learners_per_gpu > 1
  is_class      = var.learners > 1
}
